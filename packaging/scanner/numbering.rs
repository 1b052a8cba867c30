//! Numbers for different texts, and for different combinations of numbers, in the order of first appearance.

/// More steps in search of a place mean texts that were chosen for it: then nothing is numbered.
const MOST_STEPS: usize = 256;
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn mixed(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word).wrapping_mul(FACTOR);
    product ^ product >> 29
}

fn hash_of(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut hash = words.iter().fold(text.len() as u64, |hash, word| mixed(hash, u64::from_le_bytes(*word)));
    if !rest.is_empty() {
        let mut last = [0u8; 8];
        last[..rest.len()].copy_from_slice(rest);
        hash = mixed(hash, u64::from_le_bytes(last));
    }
    hash
}

/// Places of numbers by hash: a power of two of them, at most half of them taken; 0 is free.
#[derive(Default)]
struct Places {
    numbers: Vec<u32>,
    hashes: Vec<u64>,
}

impl Places {
    /// The number of the item with this `hash` that `is` it, or that of a new one.
    #[inline]
    fn number(&mut self, hash: u64, is: impl Fn(usize) -> bool) -> Option<u32> {
        if self.hashes.len() * 2 >= self.numbers.len() {
            self.grow()?;
        }
        let mask = self.numbers.len() - 1;
        for step in 0..MOST_STEPS {
            let place = (hash as usize).wrapping_add(step) & mask;
            let number = self.numbers[place];
            if number == 0 {
                self.hashes.push(hash);
                self.numbers[place] = u32::try_from(self.hashes.len()).ok()?;
                return Some(self.numbers[place] - 1);
            }
            let index = number as usize - 1;
            if self.hashes[index] == hash && is(index) {
                return Some(number - 1);
            }
        }
        None
    }

    fn grow(&mut self) -> Option<()> {
        let size = (self.numbers.len() * 2).max(1024);
        let mut numbers = vec![0u32; size];
        for (index, &hash) in self.hashes.iter().enumerate() {
            let places = (0..MOST_STEPS).map(|step| (hash as usize).wrapping_add(step) & (size - 1));
            let place = { places }.find(|&place| numbers[place] == 0)?;
            numbers[place] = u32::try_from(index + 1).ok()?;
        }
        self.numbers = numbers;
        Some(())
    }
}

/// `joined`: the texts, each with a comma behind it.
#[derive(Default)]
pub struct Texts {
    places: Places,
    ends: Vec<usize>,
    pub joined: Vec<u8>,
}

impl Texts {
    pub fn number(&mut self, text: &[u8]) -> Option<u32> {
        let (ends, joined) = (&self.ends, &self.joined);
        let number = self.places.number(hash_of(text), |index| text_in(joined, ends, index) == text)?;
        if number as usize == self.ends.len() {
            self.joined.extend_from_slice(text);
            self.ends.push(self.joined.len());
            self.joined.push(b',');
        }
        Some(number)
    }

    /// The text of a `number`, which must be one.
    #[inline]
    pub fn text(&self, number: u32) -> &[u8] {
        text_in(&self.joined, &self.ends, number as usize)
    }

    pub fn count(&self) -> usize {
        self.ends.len()
    }
}

#[inline]
fn text_in<'a>(joined: &'a [u8], ends: &[usize], index: usize) -> &'a [u8] {
    let begin = if index == 0 { 0 } else { ends[index - 1] + 1 };
    &joined[begin..ends[index]]
}

#[derive(Default)]
pub struct Combinations<const N: usize> {
    places: Places,
    pub every: Vec<[u32; N]>,
    last: u32,
}

impl<const N: usize> Combinations<N> {
    pub fn number(&mut self, parts: [u32; N]) -> Option<u32> {
        if self.every.get(self.last as usize) == Some(&parts) {
            return Some(self.last);
        }
        let every = &self.every;
        let hash = parts.iter().fold(0, |hash, &part| mixed(hash, part.into()));
        self.last = self.places.number(hash, |index| every[index] == parts)?;
        if self.last as usize == self.every.len() {
            self.every.push(parts);
        }
        Some(self.last)
    }
}

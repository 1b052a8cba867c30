//! JSON text, read strictly: whatever is not plainly valid is `None`, and another reader decides about it.

pub type Read<T> = Option<T>;

/// A number of more characters, or with a longer exponent, is not read.
const LONGEST_NUMBER: usize = 40;
const MOST_EXPONENT_DIGITS: usize = 2;
/// So many digits fit into 64 bits.
const EXACT_DIGITS: u32 = 19;
/// Brackets inside one another; one bit of a word each.
const DEEPEST: u32 = 60;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// A text with its quotation marks; `plain`: it has no escapes.
pub struct Quoted<'a> {
    pub raw: &'a [u8],
    pub plain: bool,
}

impl<'a> Quoted<'a> {
    pub fn inner(&self) -> &'a [u8] {
        &self.raw[1..self.raw.len() - 1]
    }
}

/// `mantissa`: the digits as one number, of which `decimals` are behind the point; `None` if they are too many, or if
/// the number has an exponent. `whole`: it has neither point nor exponent.
pub struct Number<'a> {
    pub raw: &'a [u8],
    pub negative: bool,
    pub whole: bool,
    pub decimals: u32,
    pub mantissa: Option<u64>,
}

impl Number<'_> {
    /// The nearest double, as every correct reader has it.
    pub fn value(&self) -> Read<f64> {
        if self.whole && self.mantissa == Some(0) {
            return Some(0.0); // there is no whole number -0
        }
        match self.mantissa {
            Some(digits) if digits < 1 << 53 => {
                let size = digits as f64 / POWERS[self.decimals as usize];
                Some(if self.negative { -size } else { size })
            }
            _ => std::str::from_utf8(self.raw).ok()?.parse().ok(),
        }
    }
}

/// Powers of ten that a double holds exactly.
pub const POWERS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

pub struct Text<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Text<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Text { bytes, at: 0 }
    }

    /// The next byte; 0, which is valid nowhere, at the end.
    #[inline]
    pub fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// Passes over white space; returns the next byte.
    #[inline]
    pub fn space(&mut self) -> u8 {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                other => return other,
            }
            while self.word() == Some(0x20 * ONES) {
                self.at += 8;
            }
        }
    }

    #[inline]
    fn word(&self) -> Option<u64> {
        Some(u64::from_le_bytes(*self.bytes.get(self.at..)?.first_chunk()?))
    }

    #[inline]
    pub fn take(&mut self, byte: u8) -> Read<()> {
        (self.peek() == byte).then(|| self.at += 1)
    }

    fn literal(&mut self, word: &[u8]) -> Read<()> {
        self.bytes[self.at..].starts_with(word).then(|| self.at += word.len())
    }

    pub fn null(&mut self) -> Read<()> {
        self.literal(b"null")
    }

    pub fn string(&mut self) -> Read<Quoted<'a>> {
        let begin = self.at;
        let mut plain = true;
        self.take(b'"')?;
        loop {
            while let Some(word) = self.word() {
                let marks = zeros(word ^ (b'"' as u64 * ONES)) | zeros(word ^ (b'\\' as u64 * ONES)) | controls(word);
                if marks != 0 {
                    self.at += marks.trailing_zeros() as usize / 8;
                    break;
                }
                self.at += 8;
            }
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Some(Quoted { raw: &self.bytes[begin..self.at], plain });
                }
                b'\\' => {
                    plain = false;
                    self.escape()?;
                }
                byte if byte < 0x20 => return None,
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Read<()> {
        self.at += 1;
        let kind = self.peek();
        self.at += 1;
        match kind {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => match self.unit()? {
                0xDC00..=0xDFFF => None,
                0xD800..=0xDBFF => {
                    self.literal(b"\\u")?;
                    matches!(self.unit()?, 0xDC00..=0xDFFF).then_some(())
                }
                _ => Some(()),
            },
            _ => None,
        }
    }

    fn unit(&mut self) -> Read<u32> {
        let digits = self.bytes.get(self.at..self.at.checked_add(4)?)?;
        self.at += 4;
        hexadecimal(digits).map(|value| value as u32)
    }

    pub fn number(&mut self) -> Read<Number<'a>> {
        let begin = self.at;
        let negative = self.take(b'-').is_some();
        let (mut mantissa, mut count) = (0u64, 0u32);
        let leading = self.peek();
        self.digits(&mut mantissa, &mut count)?;
        if leading == b'0' && count > 1 {
            return None;
        }
        let before = count;
        let point = self.take(b'.').is_some();
        if point {
            self.digits(&mut mantissa, &mut count)?;
        }
        let exponent = matches!(self.peek(), b'e' | b'E');
        if exponent {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            let from = self.at;
            self.digits(&mut 0, &mut 0)?;
            if self.at - from > MOST_EXPONENT_DIGITS {
                return None;
            }
        }
        let raw = &self.bytes[begin..self.at];
        let known = !exponent && count <= EXACT_DIGITS;
        (raw.len() <= LONGEST_NUMBER).then_some(Number {
            raw,
            negative,
            whole: !point && !exponent,
            decimals: count - before,
            mantissa: known.then_some(mantissa),
        })
    }

    /// Reads at least one digit; those past EXACT_DIGITS are only counted.
    #[inline]
    fn digits(&mut self, mantissa: &mut u64, count: &mut u32) -> Read<()> {
        let from = self.at;
        while let digit @ b'0'..=b'9' = self.peek() {
            if *count < EXACT_DIGITS {
                *mantissa = *mantissa * 10 + (digit - b'0') as u64;
            }
            *count += 1;
            self.at += 1;
        }
        (self.at > from).then_some(())
    }

    /// The key of a member and its colon, up to the value.
    #[inline]
    pub fn key(&mut self) -> Read<Quoted<'a>> {
        let key = self.string()?;
        if self.space() != b':' {
            return None;
        }
        self.at += 1;
        self.space();
        Some(key)
    }

    /// Passes over a value of any kind, without recursion.
    pub fn skip(&mut self) -> Read<()> {
        let (mut objects, mut depth) = (0u64, 0u32);
        loop {
            let opened = match self.space() {
                b'"' => self.string().map(|_| false)?,
                b'-' | b'0'..=b'9' => self.number().map(|_| false)?,
                b't' => self.literal(b"true").map(|()| false)?,
                b'f' => self.literal(b"false").map(|()| false)?,
                b'n' => self.null().map(|()| false)?,
                bracket @ (b'{' | b'[') => {
                    self.at += 1;
                    let object = bracket == b'{';
                    if self.space() == if object { b'}' } else { b']' } {
                        self.at += 1;
                        false
                    } else if depth < DEEPEST {
                        depth += 1;
                        objects = objects << 1 | u64::from(object);
                        if object {
                            self.key()?;
                        }
                        true
                    } else {
                        return None;
                    }
                }
                _ => return None,
            };
            while !opened {
                if depth == 0 {
                    return Some(());
                }
                let object = objects & 1 == 1;
                match (self.space(), object) {
                    (b',', true) => {
                        self.at += 1;
                        self.space();
                        self.key()?;
                        break;
                    }
                    (b',', false) => {
                        self.at += 1;
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.at += 1;
                        depth -= 1;
                        objects >>= 1;
                    }
                    _ => return None,
                }
            }
        }
    }
}

/// The value of up to 16 hexadecimal digits; `None` for anything else.
pub fn hexadecimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| Some(value << 4 | u64::from((digit as char).to_digit(16)?)))
}

/// The lowest bit that is set marks the first byte that is zero; those above it may be wrong.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// The same for the first byte below 0x20.
#[inline]
fn controls(word: u64) -> u64 {
    word.wrapping_sub(0x20 * ONES) & !word & HIGH
}

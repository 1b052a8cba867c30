//! Scans texts that are changed at random, with every check of the language on: `fuzz SECONDS SEED [FILE ...]`. The
//! files are more texts to begin with. A fault ends it, with the text on standard error; else it says what it did.

mod events;
mod numbering;
mod text;

use events::Scanner;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

const CORPUS: usize = 256;
const LONGEST: usize = 4096;
const TOGETHER: u64 = 1024;
const SEEDS: [&[u8]; 4] = [
    br#"[{"ph":"X","name":"a","cat":"op","pid":1,"tid":"t","ts":12.5,"dur":3,"args":{"pc_addr":"0x1f","n":[1,{}]}}]"#,
    br#"[{"ph":"M","name":"process_name","pid":0,"args":{"name":"\u00e9"}},{"ph":"C","name":"c","ts":1,"args":{"v":1e3}}]"#,
    br#"[{"ph":"s","id":7,"bp":"e","ts":"1718180919106042.250","scope":null},{"ph":"f","id":"x","s":"g","group_id":"4"}]"#,
    br#"[ {"ph":"B","args":{"raw":"0x1","group_id":2}} , {"ph":"i","id2":null,"args":null,"ts":-1e-5,"zz":[[[true]]]}]"#,
];
const TOKENS: [&[u8]; 28] = [
    b"\"", b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u", b"\\ud83d\\ude00", b"\xff", b"\0", b"\n        ", b"null",
    b"true", b"NaN", b"-0", b"1e99", b"9223372036854775808", b"0.000000001", b"\"ph\":", b"\"ts\":", b"\"args\":{",
    b"\"id\":", b"\"M\"", b"\"C\"", b"{},", b"[[[[[[[[",
];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn changed(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(24)).min(text.len());
        match random.below(6) {
            0 if at < text.len() => text[at] = random.below(256) as u8,
            1 => drop(text.splice(at..end, TOKENS[random.below(TOKENS.len())].iter().copied())),
            2 => drop(text.splice(at..at, TOKENS[random.below(TOKENS.len())].iter().copied())),
            3 => drop(text.drain(at..end)),
            4 => {
                let part = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                drop(text.splice(to..to, part));
            }
            _ => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                let part = other[from..(from + random.below(200)).min(other.len())].to_vec();
                drop(text.splice(at..end, part));
            }
        }
    }
    text.truncate(LONGEST);
    text
}

/// Whether what Python relies on holds.
fn sound(scanner: &Scanner, text: &[u8], count: usize) -> bool {
    let made = &scanner.columns;
    let texts = scanner.texts.count() as u32;
    let sizes = [made.label.len(), made.name.len(), made.time.len(), made.whole.len(), made.duration.len()];
    let others = [made.address.len(), made.group.len(), made.id.len(), made.mark.len(), made.flags.len()];
    sizes.iter().chain(&others).all(|&size| size == count)
        && made.label.iter().all(|&label| (label as usize) < scanner.labels.every.len())
        && scanner.labels.every.iter().flatten().chain(&made.name).chain(&made.group).all(|&one| one < texts)
        && made.id.iter().zip(&made.flags).all(|(&id, flags)| flags & 8 == 0 || (0..texts.into()).contains(&id))
        && made.metadata.iter().all(|&one| (one as usize) < scanner.records.count())
        && made.counters.iter().all(|&[begin, end]| begin <= end && end as usize <= text.len())
}

fn main() {
    let mut words = std::env::args().skip(1);
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(10);
    let mut random = Random(words.next().and_then(|word| word.parse().ok()).unwrap_or(0) + 88_172_645_463_325_252);
    let mut corpus: Vec<Vec<u8>> = SEEDS.iter().map(|text| text.to_vec()).collect();
    corpus.extend(words.filter_map(|path| std::fs::read(path).ok()));
    let (begin, mut inputs, mut understood) = (Instant::now(), 0u64, 0u64);
    let mut scanner = Scanner::default();
    while inputs % TOGETHER != 0 || begin.elapsed() < Duration::from_secs(seconds) {
        let text = changed(&corpus, &mut random);
        let exact = random.below(2) == 1;
        let result = catch_unwind(AssertUnwindSafe(|| match scanner.piece(&text, exact) {
            Some(count) => sound(&scanner, &text, count).then_some(true),
            None => Some(false),
        }));
        inputs += 1;
        match result {
            Ok(Some(true)) => {
                understood += 1;
                if corpus.len() < CORPUS {
                    corpus.push(text);
                } else if random.below(16) == 0 {
                    let place = random.below(CORPUS - SEEDS.len()) + SEEDS.len();
                    corpus[place] = text;
                }
            }
            Ok(Some(false)) => scanner = Scanner::default(),
            _ => panic!("a fault in {:?}", String::from_utf8_lossy(&text)),
        }
        if scanner.texts.count() > 1 << 16 {
            scanner = Scanner::default();
        }
    }
    println!("{inputs} inputs in {} s, {understood} of them understood", begin.elapsed().as_secs());
}

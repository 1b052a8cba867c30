//! The events of a piece of a trace as columns: what `app/formats/ascend_trace/scan.py` makes the columns of a profile
//! of. A piece that is not understood in every detail is `None`.

use crate::numbering::{Combinations, Texts};
use crate::text::{hexadecimal, Number, Read, Text, POWERS};

/// Bits of `Columns::flags`: the event has an address (perhaps an invalid one), words of the device, an id that is a
/// whole number, one that is a text, a mark.
const ADDRESS: u8 = 1;
const WORD: u8 = 2;
const WHOLE_ID: u8 = 4;
const TEXT_ID: u8 = 8;
const MARK: u8 = 16;
const GROUP: u8 = 32;

const NO_ADDRESS: i64 = -1;
const MOST_DECIMALS: u32 = 9;
const MOST_ID: i64 = 1 << 62;
const TIME_LIMIT: u64 = 10u64.pow(18);
/// The numbers of the texts `null` and `""`.
const NULL: u32 = 0;
const EMPTY: u32 = 1;

/// The keys of events that are read, each with its colon.
const KEYS: [&[u8]; 15] = [
    b"\"ph\":", b"\"cname\":", b"\"cat\":", b"\"pid\":", b"\"tid\":", b"\"name\":", b"\"ts\":", b"\"dur\":", b"\"args\":",
    b"\"id\":", b"\"bp\":", b"\"s\":", b"\"group_id\":", b"\"id2\":", b"\"scope\":",
];
const PHASE: usize = 0;
const NAME: usize = 5;
const TIME: usize = 6;
const DURATION: usize = 7;
const ARGUMENTS: usize = 8;
const ID: usize = 9;
const BINDING: usize = 10;
const SCOPE_OF_INSTANT: usize = 11;
const GROUP_ID: usize = 12;

/// A row for each event; `label`: a number of `Scanner::labels`; `name`, `group`: of `Scanner::texts`; `time`: the time,
/// or if it is exact the billionths behind `whole`; `id`: the number, or that of its text. `metadata`: numbers of
/// `Scanner::records`; `counters`: where the arguments of each counter begin and end.
#[derive(Default)]
pub struct Columns {
    pub label: Vec<u32>,
    pub name: Vec<u32>,
    pub time: Vec<f64>,
    pub whole: Vec<i64>,
    pub duration: Vec<f64>,
    pub address: Vec<i64>,
    pub group: Vec<u32>,
    pub id: Vec<i64>,
    pub mark: Vec<u8>,
    pub flags: Vec<u8>,
    pub metadata: Vec<u32>,
    pub counters: Vec<[u32; 2]>,
}

impl Columns {
    /// Keeps the memory, of which the next piece needs as much.
    fn clear(&mut self) {
        self.label.clear();
        self.name.clear();
        self.time.clear();
        self.whole.clear();
        self.duration.clear();
        self.address.clear();
        self.group.clear();
        self.id.clear();
        self.mark.clear();
        self.flags.clear();
        self.metadata.clear();
        self.counters.clear();
    }
}

#[derive(Default)]
pub struct Scanner {
    pub texts: Texts,
    pub records: Texts,
    /// Phase, colour, category, process, thread: numbers of `texts`.
    pub labels: Combinations<5>,
    pub columns: Columns,
    /// Of each of KEYS, and of others: which came behind it; what it had: a number of `texts`.
    following: [usize; KEYS.len() + 1],
    last: [u32; KEYS.len() + 1],
}

struct Event {
    seen: u32,
    key: usize,
    label: [u32; 5],
    name: u32,
    time: f64,
    whole: i64,
    duration: f64,
    address: i64,
    group: u32,
    id: i64,
    flow: u8,
    scope: u8,
    flags: u8,
    counter: bool,
    metadata: bool,
    args: [usize; 2],
}

impl Event {
    const NONE: Event = Event {
        seen: 0,
        key: KEYS.len(),
        label: [EMPTY, NULL, NULL, NULL, NULL],
        name: EMPTY,
        time: f64::NAN,
        whole: 0,
        duration: f64::NAN,
        address: NO_ADDRESS,
        group: NULL,
        id: 0,
        flow: 0,
        scope: 0,
        flags: 0,
        counter: false,
        metadata: false,
        args: [0, 0],
    };

    /// A key that occurs twice is not understood.
    #[inline]
    fn once(&mut self, key: u32) -> Read<()> {
        let before = self.seen;
        self.seen |= 1 << key;
        (self.seen != before).then_some(())
    }
}

impl Scanner {
    /// The number of events in `bytes`, an array with its brackets. `exact`: times are kept to the last digit.
    pub fn piece(&mut self, bytes: &[u8], exact: bool) -> Read<usize> {
        self.columns.clear();
        self.texts.number(b"null")?;
        self.texts.number(b"\"\"")?;
        std::str::from_utf8(bytes).ok()?;
        u32::try_from(bytes.len()).ok()?;
        let mut text = Text::new(bytes);
        text.space();
        text.take(b'[')?;
        if text.space() != b']' {
            loop {
                self.event(&mut text, exact)?;
                if text.space() != b',' {
                    break;
                }
                text.at += 1;
                text.space();
            }
        }
        text.take(b']')?;
        text.space();
        (text.at == bytes.len()).then_some(self.columns.label.len())
    }

    fn event(&mut self, text: &mut Text, exact: bool) -> Read<()> {
        let begin = text.at;
        let mut event = Event::NONE;
        text.take(b'{')?;
        if text.space() != b'}' {
            loop {
                self.member(text, &mut event, exact)?;
                if text.space() != b',' {
                    break;
                }
                text.at += 1;
                text.space();
            }
        }
        text.take(b'}')?;
        self.add(event, &text.bytes[begin..text.at])
    }

    fn member(&mut self, text: &mut Text, event: &mut Event, exact: bool) -> Read<()> {
        let key = self.key(text, event.key)?;
        event.key = key;
        if key == KEYS.len() {
            return text.skip();
        }
        event.once(key as u32)?;
        match key {
            PHASE => {
                if text.peek() != b'"' {
                    return None;
                }
                let phase = self.label(text, key)?;
                let raw = self.texts.text(phase);
                if raw.contains(&b'\\') {
                    return None;
                }
                event.counter = raw == b"\"C\"";
                event.metadata = raw == b"\"M\"";
                event.label[key] = phase;
            }
            PHASE..NAME => event.label[key] = self.label(text, key)?,
            NAME => event.name = self.label(text, key)?,
            TIME => {
                if let Some(number) = numeral(text)? {
                    if exact {
                        (event.whole, event.time) = parts(&number)?;
                    } else {
                        event.time = number.value()?;
                    }
                }
            }
            DURATION => {
                if let Some(number) = numeral(text)? {
                    event.duration = number.value()?;
                }
            }
            ARGUMENTS => {
                event.args[0] = text.at;
                if text.peek() == b'{' {
                    self.arguments(text, event)?;
                } else {
                    text.skip()?;
                }
                event.args[1] = text.at;
            }
            ID => self.id(text, event)?,
            BINDING => event.flow = mark(text)?,
            SCOPE_OF_INSTANT => event.scope = mark(text)?,
            GROUP_ID => self.group(text, event)?,
            _ => text.null()?,
        }
        Some(())
    }

    /// The number in KEYS of the next key, their count for another one; up to the value. The keys of an event mostly
    /// follow one another like those of the one before.
    #[inline]
    fn key(&mut self, text: &mut Text, before: usize) -> Read<usize> {
        let guess = self.following[before];
        if text.bytes[text.at..].starts_with(KEYS[guess]) {
            text.at += KEYS[guess].len();
            text.space();
            return Some(guess);
        }
        let key = text.key()?;
        if !key.plain {
            return None;
        }
        let found = KEYS.iter().position(|known| &known[1..known.len() - 2] == key.inner());
        if let Some(found) = found {
            self.following[before] = found;
        }
        Some(found.unwrap_or(KEYS.len()))
    }

    /// The number of a text, a number or nothing, which mostly is that of the event before; `which`: as in KEYS.
    #[inline]
    fn label(&mut self, text: &mut Text, which: usize) -> Read<u32> {
        let (last, rest) = (self.texts.text(self.last[which]), &text.bytes[text.at..]);
        if rest.starts_with(last) && (last[0] == b'"' || matches!(rest.get(last.len()), Some(b',' | b'}'))) {
            text.at += last.len();
            return Some(self.last[which]);
        }
        let number = match text.peek() {
            b'"' => self.texts.number(text.string()?.raw)?,
            b'n' => text.null().map(|()| NULL)?,
            _ => self.texts.number(text.number()?.raw)?,
        };
        self.last[which] = number;
        Some(number)
    }

    fn arguments(&mut self, text: &mut Text, event: &mut Event) -> Read<()> {
        text.take(b'{')?;
        if text.space() == b'}' {
            return text.take(b'}');
        }
        loop {
            let key = text.key()?;
            if !key.plain {
                return None;
            }
            match key.inner() {
                b"pc_addr" => {
                    event.once(15)?;
                    address(text, event)?;
                }
                b"group_id" => {
                    event.once(16)?;
                    self.group(text, event)?;
                }
                inner @ (b"raw" | b"start_raw") => {
                    event.once(if inner == b"raw" { 17 } else { 18 })?;
                    if text.peek() != b'n' {
                        event.flags |= WORD;
                    }
                    text.skip()?;
                }
                _ => text.skip()?,
            }
            if text.space() != b',' {
                return text.take(b'}');
            }
            text.at += 1;
            text.space();
        }
    }

    fn id(&mut self, text: &mut Text, event: &mut Event) -> Read<()> {
        match text.peek() {
            b'"' => {
                event.flags |= TEXT_ID;
                event.id = self.texts.number(text.string()?.raw)?.into();
            }
            b'n' => text.null()?,
            _ => {
                let number = text.number()?;
                event.flags |= WHOLE_ID;
                event.id = i64::try_from(number.mantissa?).ok()?;
                if !number.whole || number.negative || event.id >= MOST_ID {
                    return None;
                }
            }
        }
        Some(())
    }

    fn group(&mut self, text: &mut Text, event: &mut Event) -> Read<()> {
        let number = self.label(text, GROUP_ID)?;
        if number != NULL {
            if number == EMPTY || event.group != NULL {
                return None;
            }
            event.group = number;
            event.flags |= GROUP;
        }
        Some(())
    }

    fn add(&mut self, event: Event, record: &[u8]) -> Read<()> {
        let made = &mut self.columns;
        made.label.push(self.labels.number(event.label)?);
        made.name.push(event.name);
        made.time.push(event.time);
        made.whole.push(event.whole);
        made.duration.push(event.duration);
        made.address.push(event.address);
        made.group.push(event.group);
        made.id.push(event.id);
        let mark = if event.flow == 0 { event.scope } else { event.flow };
        made.mark.push(mark.saturating_sub(1));
        made.flags.push(event.flags | if mark == 0 { 0 } else { MARK });
        if event.metadata {
            made.metadata.push(self.records.number(record)?);
        } else if event.counter {
            made.counters.push([event.args[0] as u32, event.args[1] as u32]);
        }
        Some(())
    }
}

/// A number, in a text or not; `Some(None)` for nothing.
fn numeral<'a>(text: &mut Text<'a>) -> Read<Option<Number<'a>>> {
    match text.peek() {
        b'n' => text.null().map(|()| None),
        b'"' => {
            let quoted = text.string()?;
            let mut inner = Text::new(quoted.inner());
            let number = inner.number()?;
            let zero = number.negative && number.value()? == 0.0; // readers differ about "-0"
            (inner.at == inner.bytes.len() && !zero).then_some(Some(number))
        }
        _ => text.number().map(Some),
    }
}

/// Whole units and billionths.
fn parts(number: &Number) -> Read<(i64, f64)> {
    let digits = number.mantissa?;
    if number.negative || number.decimals > MOST_DECIMALS {
        return None;
    }
    let unit = 10u64.pow(number.decimals);
    if digits / unit >= TIME_LIMIT {
        return None;
    }
    let rest = (digits % unit) as f64 * POWERS[(MOST_DECIMALS - number.decimals) as usize];
    Some((i64::try_from(digits / unit).ok()?, rest))
}

/// Of `bp` and `s`: 0 for nothing, else one more than the mark.
fn mark(text: &mut Text) -> Read<u8> {
    if text.peek() == b'n' {
        return text.null().map(|()| 0);
    }
    let value = text.string()?;
    match value.inner() {
        b"" => None,
        b"e" => Some(2),
        b"p" => Some(3),
        b"g" => Some(4),
        _ => value.plain.then_some(1),
    }
}

fn address(text: &mut Text, event: &mut Event) -> Read<()> {
    let value = match text.peek() {
        b'n' => return text.null(),
        b'"' => {
            let value = text.string()?;
            let inner = value.inner();
            let digits = inner.strip_prefix(b"0x").or_else(|| inner.strip_prefix(b"0X")).unwrap_or(inner);
            value.plain.then_some(hexadecimal(digits))?
        }
        _ => {
            let number = text.number()?;
            let whole = number.mantissa?;
            (number.whole && (!number.negative || whole == 0)).then_some(whole)
        }
    };
    event.flags |= ADDRESS;
    event.address = value.and_then(|value| i64::try_from(value).ok()).unwrap_or(NO_ADDRESS);
    Some(())
}

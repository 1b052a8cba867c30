//! The scanner of trace events as a library for `app/formats/ascend_trace/scan.py`. See README.md. This file has all
//! that is unsafe.

mod events;
mod numbering;
mod text;

use events::Scanner;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Increased with every change of what is below, or of the meaning of a column.
const VERSION: u32 = 1;
const NOT_UNDERSTOOD: i64 = -1;

#[no_mangle]
pub extern "C" fn scan_version() -> u32 {
    VERSION
}

/// A scanner that knows nothing. It belongs to the caller, who gives it to `scan_free` once.
#[no_mangle]
pub extern "C" fn scan_new() -> *mut Scanner {
    std::panic::set_hook(Box::new(|_| ()));
    Box::into_raw(Box::default())
}

/// # Safety
/// `scanner` is from `scan_new`, and not used any more.
#[no_mangle]
pub unsafe extern "C" fn scan_free(scanner: *mut Scanner) {
    drop(Box::from_raw(scanner));
}

/// The number of events in the text of an array; below 0 if it is not understood: then no column is valid, and the
/// scanner knows nothing any more.
///
/// # Safety
/// `scanner` is from `scan_new` and used by nobody else now; `size` bytes from `text` on can be read.
#[no_mangle]
pub unsafe extern "C" fn scan_piece(scanner: *mut Scanner, text: *const u8, size: usize, exact: bool) -> i64 {
    let (scanner, bytes) = (&mut *scanner, std::slice::from_raw_parts(text, size));
    let count = catch_unwind(AssertUnwindSafe(|| scanner.piece(bytes, exact)));
    match count.ok().flatten().and_then(|count| i64::try_from(count).ok()) {
        Some(count) => count,
        None => {
            *scanner = Scanner::default();
            NOT_UNDERSTOOD
        }
    }
}

/// Makes the scanner know nothing.
///
/// # Safety
/// `scanner` is from `scan_new` and used by nobody else now.
#[no_mangle]
pub unsafe extern "C" fn scan_forget(scanner: *mut Scanner) {
    *scanner = Scanner::default();
}

/// The begin of a column, and how many values it has. Valid until the next call for this scanner.
///
/// # Safety
/// `scanner` is from `scan_new` and used by nobody else now; `count` can be written.
#[no_mangle]
pub unsafe extern "C" fn scan_column(scanner: *const Scanner, column: u32, count: *mut usize) -> *const u8 {
    fn place<T>(values: &[T]) -> (*const u8, usize) {
        (values.as_ptr().cast(), values.len())
    }
    let scanner = &*scanner;
    let made = &scanner.columns;
    let (begin, size) = match column {
        0 => place(&made.label),
        1 => place(&made.name),
        2 => place(&made.time),
        3 => place(&made.whole),
        4 => place(&made.duration),
        5 => place(&made.address),
        6 => place(&made.group),
        7 => place(&made.id),
        8 => place(&made.mark),
        9 => place(&made.flags),
        10 => place(&made.metadata),
        11 => place(&made.counters),
        12 => place(&scanner.labels.every),
        13 => place(&scanner.texts.joined),
        14 => place(&scanner.records.joined),
        _ => (std::ptr::null(), 0),
    };
    *count = size;
    begin
}

// The same as lengths.cc.
use std::hint::black_box;
use std::path::Path;

struct Request<'a> {
    number: u32,
    name: String,
    path: &'a Path,
}

fn print(function: &str, strings: &[&[u8]]) {
    let mut line = String::from(function);
    for string in strings {
        line += " =";
        for byte in *string {
            line += &format!("{:02x}", byte);
        }
    }
    eprintln!("{}", line);
}

#[inline(never)]
fn plain(value: String, reference: &String, slice: &str, boxed: Box<str>) {
    let (value, reference, boxed) = black_box((value, reference, boxed));
    print("plain", &[value.as_bytes(), reference.as_bytes(), slice.as_bytes(), boxed.as_bytes()]);
}

#[inline(always)]
fn inner(of: &Request, slice: &str) {
    if of.number > 0 {
        let path = of.path.to_str().unwrap().as_bytes();
        print("inner", &[of.name.as_bytes(), path, slice.as_bytes()]);
    }
}

#[inline(never)]
fn outer(of: &Request, slice: &str) {
    inner(of, slice);
}

fn main() {
    let strings = [
        String::new(),
        "short".to_string(),
        "a \"quoted\" and \\escaped\n one of more bytes".to_string(),
        "gr\u{fc}\u{df}".to_string(),
        "x".repeat(128),
        "y".repeat(129),
        "z".repeat(5000),
    ];
    for string in &strings {
        plain(string.clone(), string, string, string.as_str().into());
        let path = Path::new(string.as_str());
        outer(&Request { number: 1, name: string.clone(), path }, string);
    }
}

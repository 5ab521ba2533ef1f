// A machine with a stack, and what turns text into its instructions: methods, traits, generics,
// iterators and results.
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Copy)]
enum Instruction {
    Push(i64),
    Load(usize),
    Store(usize),
    Add,
    Multiply,
    Subtract,
    JumpIfZero(usize),
    Jump(usize),
    Print,
}

#[derive(Debug)]
enum Fault {
    Empty,
    Unknown(String),
    Limit,
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Empty => write!(to, "empty stack"),
            Fault::Unknown(word) => write!(to, "unknown word {}", word),
            Fault::Limit => write!(to, "too many steps"),
        }
    }
}

struct Stack<T> {
    items: Vec<T>,
}

impl<T: Copy> Stack<T> {
    fn new() -> Self {
        Stack { items: Vec::new() }
    }
    fn push(&mut self, item: T) {
        self.items.push(item);
    }
    fn pop(&mut self) -> Result<T, Fault> {
        self.items.pop().ok_or(Fault::Empty)
    }
    fn depth(&self) -> usize {
        self.items.len()
    }
}

trait Operation {
    fn apply(&self, left: i64, right: i64) -> i64;
    fn is_plain(&self) -> bool {
        true
    }
}

struct Sum;
struct Product;

impl Operation for Sum {
    fn apply(&self, left: i64, right: i64) -> i64 {
        left.wrapping_add(right)
    }
}

impl Operation for Product {
    fn apply(&self, left: i64, right: i64) -> i64 {
        left.wrapping_mul(right)
    }
    fn is_plain(&self) -> bool {
        false
    }
}

struct Machine {
    stack: Stack<i64>,
    cells: [i64; 8],
    steps: u64,
    output: Vec<i64>,
}

impl Machine {
    fn new() -> Self {
        Machine { stack: Stack::new(), cells: [0; 8], steps: 0, output: Vec::new() }
    }

    fn cell(&self, index: usize) -> i64 {
        self.cells[index % 8]
    }

    fn set_cell(&mut self, index: usize, value: i64) {
        self.cells[index % 8] = value;
    }

    fn combine<O: Operation>(&mut self, operation: O) -> Result<(), Fault> {
        let right = self.stack.pop()?;
        let left = self.stack.pop()?;
        if !operation.is_plain() {
            self.steps += 1;
        }
        self.stack.push(operation.apply(left, right));
        Ok(())
    }

    fn tick(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > 2_000 {
            return Err(Fault::Limit);
        }
        Ok(())
    }

    fn step(&mut self, instruction: Instruction, at: usize) -> Result<usize, Fault> {
        self.tick()?;
        match instruction {
            Instruction::Push(value) => self.stack.push(value),
            Instruction::Load(index) => {
                let value = self.cell(index);
                self.stack.push(value)
            }
            Instruction::Store(index) => {
                let value = self.stack.pop()?;
                self.set_cell(index, value)
            }
            Instruction::Add => self.combine(Sum)?,
            Instruction::Multiply => self.combine(Product)?,
            Instruction::Subtract => {
                let right = self.stack.pop()?;
                self.stack.push(negated(right));
                self.combine(Sum)?
            }
            Instruction::JumpIfZero(to) => {
                if self.stack.pop()? == 0 {
                    return Ok(to);
                }
            }
            Instruction::Jump(to) => return Ok(to),
            Instruction::Print => {
                let value = self.stack.pop()?;
                self.output.push(value)
            }
        }
        Ok(at + 1)
    }

    fn run(&mut self, program: &[Instruction]) -> Result<(), Fault> {
        let mut at = 0;
        while at < program.len() {
            at = self.step(program[at], at)?;
        }
        Ok(())
    }
}

fn negated(value: i64) -> i64 {
    value.wrapping_neg()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(is_digit)
}

fn is_digit(byte: u8) -> bool {
    byte >= b'0' && byte <= b'9'
}

fn number_of(word: &str) -> i64 {
    word.bytes().fold(0, |sum, byte| sum * 10 + digit(byte))
}

fn digit(byte: u8) -> i64 {
    (byte - b'0') as i64
}

fn argument(word: &str) -> usize {
    number_of(&word[1..]) as usize
}

fn translate(word: &str) -> Result<Instruction, Fault> {
    if is_number(word) {
        return Ok(Instruction::Push(number_of(word)));
    }
    Ok(match &word[..1] {
        "+" => Instruction::Add,
        "*" => Instruction::Multiply,
        "-" => Instruction::Subtract,
        "." => Instruction::Print,
        "@" => Instruction::Load(argument(word)),
        "!" => Instruction::Store(argument(word)),
        "?" => Instruction::JumpIfZero(argument(word)),
        "^" => Instruction::Jump(argument(word)),
        _ => return Err(Fault::Unknown(word.to_string())),
    })
}

fn translate_all(text: &str) -> Result<Vec<Instruction>, Fault> {
    text.split_whitespace().map(translate).collect()
}

fn count_words(text: &str, counts: &mut BTreeMap<String, u32>) {
    for word in text.split_whitespace() {
        *counts.entry(word.to_string()).or_insert(0) += weight(word);
    }
}

fn weight(word: &str) -> u32 {
    if word.len() > 1 {
        2
    } else {
        1
    }
}

fn greatest<T: PartialOrd + Copy>(items: &[T], least: T) -> T {
    let mut found = least;
    for &item in items {
        if is_greater(item, found) {
            found = item;
        }
    }
    found
}

fn is_greater<T: PartialOrd>(a: T, b: T) -> bool {
    a > b
}

fn main() {
    let texts = [
        "1 2 + .",
        "10 !1 @1 ?11 @1 . @1 1 - !1 ^2",
        "2 3 * 4 * . 7 2 - .",
        "1 +",
        "3 what",
        "5 !2 1 !3 @2 ?16 @2 @3 * !3 @2 1 - !2 ^4 8 8 @3 .",
        "^0",
    ];
    let mut counts = BTreeMap::new();
    for text in texts.iter() {
        count_words(text, &mut counts);
        let mut machine = Machine::new();
        match translate_all(text).and_then(|program| machine.run(&program)) {
            Ok(()) => println!("{:?} {}", machine.output, machine.stack.depth()),
            Err(fault) => println!("{} after {}", fault, machine.steps),
        }
    }
    let most: Vec<u32> = counts.values().copied().collect();
    println!("{} {}", counts.len(), greatest(&most, 0));
}

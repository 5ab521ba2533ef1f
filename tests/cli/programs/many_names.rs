use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write;

fn main() {
    let mut map: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut by_length: HashMap<usize, HashSet<String>> = HashMap::new();
    let mut queue = VecDeque::new();
    let mut text = String::new();
    for (i, word) in std::env::args().enumerate() {
        map.entry(word.clone()).or_default().push(i);
        by_length.entry(word.len()).or_default().insert(word.to_uppercase());
        queue.push_back(word.chars().rev().collect::<String>());
        write!(text, "{word:>8} {i:#x} ").unwrap();
    }
    let mut sorted: Vec<&String> = map.keys().collect();
    sorted.sort_by_key(|word| word.len());
    let total: usize = map.values().flatten().sum::<usize>() + by_length.len() + queue.len();
    println!("{text} {total} {sorted:?}");
}

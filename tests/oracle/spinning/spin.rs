// Closures, generic functions and methods that are inlined.
use std::hint::black_box;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

fn now() -> f64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(3, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

struct Random(u64);

impl Random {
    fn around(&mut self, about: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        about / 2 + (self.0 >> 33) % about
    }
}

trait Turn {
    fn go(&mut self, rounds: u64);
}

struct Light(f64);
struct Heavy(f64);

impl Turn for Light {
    #[inline(always)]
    fn go(&mut self, rounds: u64) {
        let began = now();
        let mut sum = 0u64;
        for i in 0..rounds {
            sum = black_box(sum.wrapping_add(i));
        }
        black_box(sum);
        self.0 += now() - began;
    }
}

impl Turn for Heavy {
    #[inline(always)]
    fn go(&mut self, rounds: u64) {
        let began = now();
        let mut sum = 1u64;
        for i in 0..rounds * 3 {
            sum = black_box(sum ^ i);
        }
        black_box(sum);
        self.0 += now() - began;
    }
}

#[inline(never)]
fn work(random: &mut Random, light: &mut Light, heavy: &mut Heavy) {
    light.go(random.around(320000));
    heavy.go(random.around(320000));
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).map_or(1.5, |text| text.parse().unwrap());
    let (mut random, mut light, mut heavy) = (Random(12345), Light(0.0), Heavy(0.0));
    let began = now();
    while now() - began < seconds {
        work(&mut random, &mut light, &mut heavy);
    }
    println!("<spin::Light as spin::Turn>::go {:.9}", light.0);
    println!("<spin::Heavy as spin::Turn>::go {:.9}", heavy.0);
}

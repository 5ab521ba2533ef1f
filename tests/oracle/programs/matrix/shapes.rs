// Methods, traits, generics, closures and iterators, without a standard library to link.
#![no_std]

use core::ops::{Add, Index};

pub trait Measure {
    fn size(&self) -> i32;
    fn twice(&self) -> i32 {
        self.size() + self.size()
    }
}

#[derive(Clone, Copy)]
pub struct Point {
    x: i32,
    y: i32,
}

#[inline(always)]
fn clamp(value: i32, limit: i32) -> i32 {
    if value < 0 {
        return fail(value);
    }
    value.min(limit)
}

#[cold]
#[inline(never)]
fn fail(code: i32) -> i32 {
    unsafe { core::ptr::read_volatile(&code) }
}

#[inline]
fn biggest<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

impl Add for Point {
    type Output = Point;
    #[inline]
    fn add(self, other: Point) -> Point {
        Point { x: clamp(self.x + other.x, 100), y: clamp(self.y + other.y, 100) }
    }
}

impl Index<usize> for Point {
    type Output = i32;
    #[inline]
    fn index(&self, at: usize) -> &i32 {
        if at == 0 { &self.x } else { &self.y }
    }
}

impl Measure for Point {
    #[inline]
    fn size(&self) -> i32 {
        biggest(self.x, -self.x) + biggest(self[1], -self[1])
    }
}

#[no_mangle]
pub extern "C" fn total(items: *const i32, count: usize, limit: i32) -> i32 {
    let items = unsafe { core::slice::from_raw_parts(items, count) };
    let scaled = |value: &i32| clamp(*value, limit) * 2;
    items.iter().map(scaled).filter(|value| *value > 3).sum()
}

#[no_mangle]
pub extern "C" fn area(x: i32, y: i32) -> i32 {
    let sum = Point { x, y } + Point { x: y, y: 2 };
    sum.twice() + biggest(x as i64, 3) as i32 + clamp(x, 3) + clamp(y, 4)
}

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

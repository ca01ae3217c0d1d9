//! One instruction of A64: four bytes, the least significant first.

/// The bytes of an instruction.
pub(super) const LENGTH: usize = 4;

/// The registers x0 to x18, and the link register, are a called function's to overwrite.
const LAST_SCRATCH: u8 = 18;
const LINK: u8 = 30;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction(u32);

impl Instruction {
    /// The instruction at `at`, a position in the code of a function.
    pub(super) fn at(code: &[u8], at: usize) -> Option<Self> {
        if !at.is_multiple_of(LENGTH) {
            return None;
        }
        code.get(at..)?.first_chunk().map(|bytes| Self(u32::from_le_bytes(*bytes)))
    }

    /// Whether the bits of `mask` are those of `value`.
    const fn has(self, mask: u32, value: u32) -> bool {
        self.0 & mask == value
    }

    /// The register whose number begins at the bit `low`.
    const fn register(self, low: u32) -> u8 {
        (self.0 >> low & 0x1f) as u8
    }

    /// The number of `count` bits that begins at the bit `low`.
    const fn number(self, low: u32, count: u32) -> u64 {
        (self.0 >> low & ((1 << count) - 1)) as u64
    }

    /// The register to which most instructions write.
    pub(super) const fn destination(self) -> u8 {
        self.register(0)
    }

    /// `bti c`, which may stand at the beginning of an entry of a linkage table.
    pub(super) fn is_landing(self) -> bool {
        self.0 == 0xd503_245f
    }

    /// The target of `b`, at `address`.
    pub(super) fn jump(self, address: u64) -> Option<u64> {
        self.has(0xfc00_0000, 0x1400_0000).then(|| self.branch(address))
    }

    /// The target of `bl`, at `address`.
    pub(super) fn call(self, address: u64) -> Option<u64> {
        self.has(0xfc00_0000, 0x9400_0000).then(|| self.branch(address))
    }

    fn branch(self, address: u64) -> u64 {
        address.wrapping_add_signed(signed(self.number(0, 26), 26) * 4)
    }

    /// The register of `br`, also with an authentication.
    pub(super) fn jump_register(self) -> Option<u8> {
        self.has(0xfeff_f000, 0xd61f_0000).then(|| self.register(5))
    }

    /// The register of `blr`, also with an authentication.
    pub(super) fn call_register(self) -> Option<u8> {
        self.has(0xfeff_f000, 0xd63f_0000).then(|| self.register(5))
    }

    /// Whether it is a call.
    pub(super) fn calls(self) -> bool {
        self.call(0).is_some() || self.call_register().is_some()
    }

    /// Whether the function has a frame behind it: the frame pointer and the link register are
    /// stored there. `None` if it changes nothing of that.
    pub(super) fn frame(self) -> Option<bool> {
        if self.has(0xfe40_7c1f, 0xa800_781d) {
            return Some(true);
        }
        let restores = self.has(0xfe40_7c1f, 0xa840_781d);
        let returns = self.has(0xfeff_f000, 0xd65f_0000);
        (restores || returns).then_some(false)
    }

    /// What `adr`, at `address`, puts into its destination.
    pub(super) fn near_address(self, address: u64) -> Option<u64> {
        self.has(0x9f00_0000, 0x1000_0000).then(|| address.wrapping_add_signed(self.distance()))
    }

    /// What `adrp`, at `address`, puts into its destination: the address of a page of 4 KiB.
    pub(super) fn page(self, address: u64) -> Option<u64> {
        let page = address & !0xfff;
        self.has(0x9f00_0000, 0x9000_0000).then(|| page.wrapping_add_signed(self.distance() << 12))
    }

    fn distance(self) -> i64 {
        signed(self.number(5, 19) << 2 | self.number(29, 2), 21)
    }

    /// The register and the number whose sum `add` puts into its destination.
    pub(super) fn sum(self) -> Option<(u8, u64)> {
        let shift = 12 * self.number(22, 1);
        self.has(0xff80_0000, 0x9100_0000).then(|| (self.register(5), self.number(10, 12) << shift))
    }

    /// The number that `movz` puts into its destination.
    pub(super) fn constant(self) -> Option<u64> {
        self.has(0x7f80_0000, 0x5280_0000).then(|| self.sixteen_bits())
    }

    /// The sixteen bits that `movk` overwrites in its destination, and their new value.
    pub(super) fn part_of_constant(self) -> Option<(u64, u64)> {
        let mask = 0xffff << (16 * self.number(21, 2));
        self.has(0x7f80_0000, 0x7280_0000).then(|| (mask, self.sixteen_bits()))
    }

    fn sixteen_bits(self) -> u64 {
        self.number(5, 16) << (16 * self.number(21, 2))
    }

    /// The register that `mov` copies into its destination.
    pub(super) fn copied(self) -> Option<u8> {
        self.has(0xffe0_ffe0, 0xaa00_03e0).then(|| self.register(16))
    }

    /// The register and the offset whose sum is the address of the word that `ldr` puts into its
    /// destination.
    pub(super) fn loaded(self) -> Option<(u8, u64)> {
        self.has(0xffc0_0000, 0xf940_0000).then(|| (self.register(5), self.number(10, 12) * 8))
    }

    /// Whether it loads a word of 64 bits into `register`.
    pub(super) fn loads(self, register: u8) -> bool {
        let pair = self.has(0xfe40_0000, 0xa840_0000);
        let one = self.has(0xfec0_0000, 0xf840_0000) || self.has(0xff00_0000, 0x5800_0000);
        (one || pair) && self.register(0) == register || pair && self.register(10) == register
    }

    /// Whether it puts one of two words into `register`.
    pub(super) fn selects(self, register: u8) -> bool {
        self.has(0xffe0_0c00, 0x9a80_0000) && self.destination() == register
    }

    /// Whether `register`, a general one, may have another value behind it. Of a called function,
    /// the registers that it preserves have not.
    pub(super) fn may_write(self, register: u8) -> bool {
        if self.calls() {
            return register <= LAST_SCRATCH || register == LINK;
        }
        let is_first = self.register(0) == register;
        match self.number(25, 4) {
            // Numbers, but for comparisons under a condition.
            0b1000 | 0b1001 => is_first,
            0b0101 | 0b1101 => is_first && !self.has(0x1fe0_0000, 0x1a40_0000),
            // Loads, and the addresses that loads and stores move on.
            0b0100 | 0b0110 | 0b1100 | 0b1110 => {
                let is_general = self.number(26, 1) == 0;
                let is_base = self.register(5) == register;
                match self.number(27, 3) {
                    0b101 => {
                        let is_second = self.register(10) == register;
                        let is_load = is_general && self.number(22, 1) == 1;
                        is_load && (is_first || is_second) || is_base && self.number(23, 1) == 1
                    }
                    0b111 => {
                        let is_load = is_general && self.number(22, 2) != 0;
                        let is_atomic = self.has(0x0120_0c00, 0x0020_0000);
                        let moves_on = self.has(0x0120_0400, 0x0000_0400);
                        (is_load || is_atomic) && is_first || moves_on && is_base
                    }
                    _ => is_general && is_first,
                }
            }
            _ => false,
        }
    }
}

/// The number of `count` bits in two's complement.
const fn signed(number: u64, count: u32) -> i64 {
    let unused = 64 - count;
    (number << unused).cast_signed() >> unused
}

/// The curve of Ed25519, to the extent that a public key is verified: libraries accept any 32 bytes as one. All values
/// are public, so nothing here takes constant time. Source: RFC 8032 §5.1.
enum Edwards25519 {
    /// Returns `true` if the bytes are the canonical encoding of a point on the curve that does not have small order.
    ///
    /// Under a key of small order, signatures are forged without a private key. Source: RFC 8032 §5.1.3 and §8.7.
    static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        guard let y = FieldElement(coordinate: bytes) else { return false }
        let square = y * y
        let numerator = square - .one
        let denominator = d * square + .one
        // The points of order 4 have y = 0, those of order 1 and 2 have y² = 1, which also excludes x = 0.
        guard !y.isZero, !numerator.isZero else { return false }
        // A point (x, y) has order 8 if the double of it has y = 0, that is x² = -y²: d·y⁴ + 2·y² - 1 = 0.
        guard !(d * square * square + square + square - .one).isZero else { return false }
        // x² = numerator / denominator is a square if the product is one.
        return (numerator * denominator).isSquare
    }

    /// The parameter of the curve, -121665/121666. Source: RFC 8032 §5.1.
    private static let d = FieldElement(
        929_955_233_495_203, 466_365_720_129_213, 1_662_059_464_998_953, 2_033_849_074_728_123, 1_442_794_654_840_575)
}

/// An integer modulo p = 2²⁵⁵ - 19, as five limbs of 51 bits, the lowest first. Between operations a limb may exceed 51
/// bits by less than 2¹⁶, so that no operation overflows: a limb of a product is below 2¹¹².
private struct FieldElement {
    private var l0: UInt64
    private var l1: UInt64
    private var l2: UInt64
    private var l3: UInt64
    private var l4: UInt64

    static let one = FieldElement(1, 0, 0, 0, 0)
    private static let mask: UInt64 = 1 << 51 - 1

    init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64) {
        self.l0 = l0
        self.l1 = l1
        self.l2 = l2
        self.l3 = l3
        self.l4 = l4
    }

    /// Reads 32 bytes, the lowest first, without the sign bit; nil for another length and for values of p and above.
    init?(coordinate bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        let word = { (index: Int) in
            bytes[(8 * index)..<(8 * index + 8)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
        self.init(
            w0 & Self.mask, (w0 >> 51 | w1 << 13) & Self.mask, (w1 >> 38 | w2 << 26) & Self.mask,
            (w2 >> 25 | w3 << 39) & Self.mask, w3 >> 12 & Self.mask)
        guard !isAtLeastP else { return nil }
    }

    var isZero: Bool {
        var value = self
        // The first pass leaves less than 2⁵¹ + 19 in the lowest limb and 51 bits in the others, the second 51 bits in
        // all: a value below p + 19.
        value.carry()
        value.carry()
        return value.l1 | value.l2 | value.l3 | value.l4 | value.l0 == 0 || value.isP
    }

    /// Returns `true` for zero and for quadratic residues, by Euler's criterion: the power of (p - 1) / 2, which is
    /// 2²⁵⁴ - 10, is 0 or 1.
    var isSquare: Bool {
        var power = FieldElement.one
        for bit in (0..<254).reversed() {
            power = power * power
            // 2²⁵⁴ - 10 has 254 bits, of which only 0 and 3 are zero.
            if bit != 0 && bit != 3 { power = power * self }
        }
        return power.isZero || (power - .one).isZero
    }

    /// `true` for a value of p and above, provided that limbs have 51 bits.
    private var isAtLeastP: Bool { l1 & l2 & l3 & l4 == Self.mask && l0 >= Self.mask &- 18 }

    private var isP: Bool { isAtLeastP && l0 == Self.mask &- 18 }

    static func + (one: FieldElement, other: FieldElement) -> FieldElement {
        var sum = FieldElement(
            one.l0 &+ other.l0, one.l1 &+ other.l1, one.l2 &+ other.l2, one.l3 &+ other.l3, one.l4 &+ other.l4)
        sum.carry()
        return sum
    }

    static func - (one: FieldElement, other: FieldElement) -> FieldElement {
        // The limbs of 4p, which exceed those of every operand.
        let lowest = 4 &* (mask &- 18)
        let others = 4 &* mask
        var difference = FieldElement(
            one.l0 &+ lowest &- other.l0, one.l1 &+ others &- other.l1, one.l2 &+ others &- other.l2,
            one.l3 &+ others &- other.l3, one.l4 &+ others &- other.l4)
        difference.carry()
        return difference
    }

    static func * (one: FieldElement, other: FieldElement) -> FieldElement {
        let (a0, a1, a2, a3, a4) = (one.l0, one.l1, one.l2, one.l3, one.l4)
        let (b0, b1, b2, b3, b4) = (other.l0, other.l1, other.l2, other.l3, other.l4)
        // 2²⁵⁵ is 19 modulo p.
        let (c1, c2, c3, c4) = (19 &* b1, 19 &* b2, 19 &* b3, 19 &* b4)
        var r0 = product(a0, b0) &+ product(a1, c4) &+ product(a2, c3) &+ product(a3, c2) &+ product(a4, c1)
        var r1 = product(a0, b1) &+ product(a1, b0) &+ product(a2, c4) &+ product(a3, c3) &+ product(a4, c2)
        var r2 = product(a0, b2) &+ product(a1, b1) &+ product(a2, b0) &+ product(a3, c4) &+ product(a4, c3)
        var r3 = product(a0, b3) &+ product(a1, b2) &+ product(a2, b1) &+ product(a3, b0) &+ product(a4, c4)
        var r4 = product(a0, b4) &+ product(a1, b3) &+ product(a2, b2) &+ product(a3, b1) &+ product(a4, b0)
        let mask = UInt128(mask)
        r1 &+= r0 >> 51
        r2 &+= r1 >> 51
        r3 &+= r2 >> 51
        r4 &+= r3 >> 51
        // Below 2⁶⁷, so the carry into the next limb is below 2¹⁶.
        r0 = r0 & mask &+ 19 &* (r4 >> 51)
        r1 = r1 & mask &+ r0 >> 51
        let limb = { (value: UInt128) in UInt64(truncatingIfNeeded: value) }
        return FieldElement(limb(r0 & mask), limb(r1), limb(r2 & mask), limb(r3 & mask), limb(r4 & mask))
    }

    private static func product(_ one: UInt64, _ other: UInt64) -> UInt128 { UInt128(one) &* UInt128(other) }

    private mutating func carry() {
        l1 &+= l0 >> 51
        l2 &+= l1 >> 51
        l3 &+= l2 >> 51
        l4 &+= l3 >> 51
        l0 = l0 & Self.mask &+ 19 &* (l4 >> 51)
        l1 &= Self.mask
        l2 &= Self.mask
        l3 &= Self.mask
        l4 &= Self.mask
    }
}

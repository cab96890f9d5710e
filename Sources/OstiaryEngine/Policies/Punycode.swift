/// The encoding of Unicode in the letters, digits and hyphens of host names. Source: RFC 3492.
enum Punycode {
    private static let (base, minimumThreshold, maximumThreshold, skew, damp) = (36, 1, 26, 38, 700)
    private static let (initialBias, initialCode) = (72, UInt32(0x80))

    /// Encodes a label; nil for one that is longer than the 63 bytes of a host name's label. Source: RFC 3492 §6.3.
    static func encode(_ label: [Unicode.Scalar]) -> String? {
        guard label.count <= 63 else { return nil }
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias) = (initialCode, 0, initialBias)
        while handled < label.count {
            guard let next = label.map(\.value).filter({ $0 >= code }).min() else { return nil }
            delta += Int(next - code) * (handled + 1)
            code = next
            for scalar in label {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                appendNumber(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends a variable-length integer. Source: RFC 3492 §3.3.
    private static func appendNumber(_ number: Int, bias: Int, to output: inout [UInt8]) {
        var (rest, position) = (number, base)
        while true {
            let threshold = max(minimumThreshold, min(maximumThreshold, position - bias))
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26)
    }

    /// Source: RFC 3492 §6.1.
    private static func adapted(_ number: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? number / damp : number / 2
        delta += delta / count
        var shift = 0
        while delta > (base - minimumThreshold) * maximumThreshold / 2 {
            delta /= base - minimumThreshold
            shift += base
        }
        return shift + (base - minimumThreshold + 1) * delta / (delta + skew)
    }
}

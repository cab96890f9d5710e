import Foundation

/// A colour and the text colours that are legible on it.
struct PageColor: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let white = PageColor(red: 255, green: 255, blue: 255)
    static let black = PageColor(red: 0, green: 0, blue: 0)
    /// The colour of pages whose app has none of its own.
    static let ours = PageColor(red: 0x1F, green: 0x5F, blue: 0xD0)

    init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// - Parameter text: `#rrggbb` or `rrggbb`; nil for anything else.
    init?(_ text: String) {
        let digits = text.utf8.first == UInt8(ascii: "#") ? text.utf8.dropFirst() : text.utf8[...]
        let values = digits.compactMap(ASCII.hexadecimal)
        guard digits.count == 6, values.count == 6 else { return nil }
        self.init(
            red: UInt8(values[0] * 16 + values[1]), green: UInt8(values[2] * 16 + values[3]),
            blue: UInt8(values[4] * 16 + values[5]))
    }

    /// `rrggbb`
    var hex: String {
        [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The relative luminance. Source: WCAG 2.2, relative luminance.
    var luminance: Double {
        func linear(_ byte: UInt8) -> Double {
            let share = Double(byte) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio, from 1 to 21. Source: WCAG 2.2, contrast ratio.
    func contrast(with other: PageColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// White or black, the one with more contrast: at least 4.58.
    var ink: PageColor { contrast(with: .white) >= contrast(with: .black) ? .white : .black }

    /// Returns the colour, moved towards white or black only as far as legibility on `paper` requires.
    func legible(on paper: PageColor, contrast least: Double = 4.5) -> PageColor {
        let goal = paper.ink
        for step in 0...20 {
            let color = mixed(with: goal, share: Double(step) / 20)
            if color.contrast(with: paper) >= least { return color }
        }
        return goal
    }

    private func mixed(with other: PageColor, share: Double) -> PageColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) * (1 - share) + Double(two) * share).rounded())
        }
        return PageColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}

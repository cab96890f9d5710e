#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The colours of a provider's button as the provider requires: one set for light mode, one for dark mode.
///
/// Source: Apple's Human Interface Guidelines, "Sign in with Apple"; Google's "Sign in with Google Branding
/// Guidelines".
struct ProviderLook {
    let fill: Color
    let text: Color
    let outline: Color

    init(_ provider: String, _ scheme: ColorScheme) {
        switch (provider, scheme) {
        case ("apple", .dark): self.init(fill: .white, text: .black, outline: .white)
        case ("apple", _): self.init(fill: .black, text: .white, outline: .black)
        case ("google", .dark): self.init(fill: .hex(0x131314), text: .hex(0xE3E3E3), outline: .hex(0x8E918F))
        case ("google", _): self.init(fill: .hex(0xFFFFFF), text: .hex(0x1F1F1F), outline: .hex(0x747775))
        case (_, .dark): self.init(fill: .hex(0xF6F8FA), text: .hex(0x24292F), outline: .hex(0xF6F8FA))
        default: self.init(fill: .hex(0x24292F), text: .hex(0xFFFFFF), outline: .hex(0x24292F))
        }
    }

    private init(fill: Color, text: Color, outline: Color) {
        self.fill = fill
        self.text = text
        self.outline = outline
    }
}

extension Color {
    static func hex(_ rgb: Int) -> Color {
        Color(
            red: Double(rgb >> 16 & 0xFF) / 255, green: Double(rgb >> 8 & 0xFF) / 255, blue: Double(rgb & 0xFF) / 255)
    }
}
#endif

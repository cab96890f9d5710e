#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import OstiaryCore
public import SwiftUI

/// How hard a password is to guess, and what makes it easier than need be.
public struct PasswordStrengthView: View {
    private let strength: PasswordStrength
    private let texts: AuthTexts

    public init(_ strength: PasswordStrength, texts: AuthTexts) {
        self.strength = strength
        self.texts = texts
    }

    public var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            // Even the weakest shows something.
            ProgressView(value: Double(strength.score + 1), total: Double(PasswordStrength.highestScore + 1)) {
                Text(texts(.strengthLabel, ["strength": texts.text(of: strength)])).font(.footnote)
            }
            .tint(colour)
            ForEach(strength.reasons, id: \.self) { reason in
                Text(texts.text(of: reason)).font(.footnote).foregroundStyle(.secondary)
                    .fixedSize(horizontal: false, vertical: true)
            }
        }
        .accessibilityElement(children: .combine)
        .accessibilityIdentifier("strength")
    }

    /// The words beside it say the same.
    private var colour: Color {
        switch strength.score {
        case 0, 1: .red
        case 2: .orange
        default: .green
        }
    }
}
#endif

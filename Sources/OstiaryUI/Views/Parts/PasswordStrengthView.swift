#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import OstiaryCore
public import SwiftUI

/// The strength of a password, with the reasons that lower it.
public struct PasswordStrengthView: View {
    private let strength: PasswordStrength
    private let texts: AuthTexts

    /// Creates the view of a strength, with the texts of one language.
    public init(_ strength: PasswordStrength, texts: AuthTexts) {
        self.strength = strength
        self.texts = texts
    }

    /// A bar with its rating, and the reasons below.
    public var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            // The lowest score fills one step of the bar.
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

    /// The colour of the bar. The text above it has the same meaning.
    private var colour: Color {
        switch strength.score {
        case 0, 1: .red
        case 2: .orange
        default: .green
        }
    }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import OstiaryCore
import SwiftUI

/// One second factor: its name, its kind, the time at which it was added, and that of its last use.
struct FactorRow: View {
    @Environment(\.locale) private var locale
    @Environment(\.timeZone) private var timeZone
    let factor: EnrolledFactor
    let texts: AuthTexts

    var body: some View {
        Label {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: factor.name).font(.headline)
                if factor.name != texts(factor.kind) {
                    Text(texts(factor.kind)).font(.subheadline).foregroundStyle(.secondary)
                }
                Text(texts(.factorAddedAt, ["date": text(factor.createdAt)]))
                    .font(.footnote).foregroundStyle(.secondary)
                Text(use).font(.footnote).foregroundStyle(.secondary)
            }
        } icon: {
            Image(systemName: factor.symbol).accessibilityHidden(true)
        }
        .accessibilityElement(children: .combine)
    }

    private var use: String {
        factor.lastUsedAt.map { texts(.lastUsed, ["date": text($0)]) } ?? texts(.factorNeverUsed)
    }

    private func text(_ date: Date) -> String { texts.text(of: date, locale, timeZone) }
}

extension EnrolledFactor {
    var kind: TextKey {
        switch type {
        case .totp: .authenticatorApp
        case .passkey: .passkey
        default: .otherFactor
        }
    }

    fileprivate var symbol: String { type == .passkey ? "person.badge.key" : "lock.rotation" }
}

extension AuthTexts {
    /// Formats a date in the language of the other texts, which may differ from the system's.
    func text(of date: Date, _ locale: Locale, _ timeZone: TimeZone) -> String {
        date.formatted(
            Date.FormatStyle(
                date: .abbreviated, time: .shortened, locale: spoken(locale), timeZone: timeZone))
    }

    /// Returns the name of a country in the language of the texts; its code if it has none.
    func name(ofCountry code: String, _ locale: Locale) -> String {
        spoken(locale).localizedString(forRegionCode: code) ?? code
    }

    private func spoken(_ locale: Locale) -> Locale {
        locale.language.languageCode?.identifier == language ? locale : Locale(identifier: language)
    }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import OstiaryCore
import SwiftUI

/// One session: its device, its start, and the time, country and address of its last use.
struct SessionRow: View {
    @Environment(\.locale) private var locale
    @Environment(\.timeZone) private var timeZone
    let session: SessionSummary
    let texts: AuthTexts

    var body: some View {
        Label {
            VStack(alignment: .leading, spacing: 2) {
                Text(session.deviceName(texts)).font(.headline)
                if session.isCurrent {
                    Text(texts(.thisDevice)).font(.subheadline).foregroundStyle(.tint)
                }
                Text(texts(.lastUsed, ["date": text(session.lastUsedAt)])).font(.footnote).foregroundStyle(.secondary)
                Text(texts(.signedInSince, ["date": text(session.createdAt)])).font(.footnote).foregroundStyle(
                    .secondary)
                if let country = session.country {
                    Text(verbatim: texts.name(ofCountry: country, locale)).font(.footnote).foregroundStyle(.secondary)
                }
                if let address = session.address {
                    Text(verbatim: address).font(.footnote).foregroundStyle(.secondary)
                }
            }
        } icon: {
            Image(systemName: DeviceDescription(session).symbol).accessibilityHidden(true)
        }
        .accessibilityElement(children: .combine)
        .accessibilityIdentifier("session.\(session.id.text)")
    }

    private func text(_ date: Date) -> String { texts.text(of: date, locale, timeZone) }
}

extension SessionSummary {
    /// Returns the name of the session's device: see ``DeviceDescription``.
    func deviceName(_ texts: AuthTexts) -> String { DeviceDescription(self).name(texts) }
}
#endif

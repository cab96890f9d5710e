#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import OstiaryCore
import SwiftUI

/// One recognized device: its description, its first and its last sign-in, and the end of the permission to sign in without
/// a second factor.
struct DeviceRow: View {
    @Environment(\.locale) private var locale
    @Environment(\.timeZone) private var timeZone
    let device: DeviceSummary
    let texts: AuthTexts

    var body: some View {
        Label {
            VStack(alignment: .leading, spacing: 2) {
                Text(device.deviceName(texts)).font(.headline)
                if device.isCurrent {
                    Text(texts(.thisDevice)).font(.subheadline).foregroundStyle(.tint)
                }
                Text(texts(.lastUsed, ["date": text(device.lastUsedAt)])).font(.footnote).foregroundStyle(.secondary)
                if let until = device.rememberedUntil {
                    Text(texts(.rememberedUntil, ["date": text(until)])).font(.footnote).foregroundStyle(.secondary)
                }
                if let address = device.address {
                    Text(verbatim: address).font(.footnote).foregroundStyle(.secondary)
                }
            }
        } icon: {
            Image(systemName: DeviceDescription(device).symbol).accessibilityHidden(true)
        }
        .accessibilityElement(children: .combine)
        .accessibilityIdentifier("device.\(device.id.text)")
    }

    private func text(_ date: Date) -> String { texts.text(of: date, locale, timeZone) }
}

extension DeviceSummary {
    /// Returns the name of the device: see ``DeviceDescription``.
    func deviceName(_ texts: AuthTexts) -> String { DeviceDescription(self).name(texts) }
}
#endif

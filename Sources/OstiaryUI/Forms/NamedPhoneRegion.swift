public import Foundation
public import OstiaryCore

/// A region for phone numbers, with its name in one language.
public struct NamedPhoneRegion: Hashable, Sendable, Identifiable {
    /// The region with its calling code.
    public let region: PhoneRegion
    /// The name of the region in the language of the list.
    public let name: String

    /// The code of the region.
    public var id: String { region.code }

    /// The name and the calling code, for example `Germany (+49)`.
    public var title: String {
        // Isolated, so that the sign stays before the digits in right-to-left text. Source: Unicode UAX #9 §2.4.
        "\(name) (\u{2066}+\(region.callingCode)\u{2069})"
    }

    /// Returns all regions, sorted by name in the order of the language.
    ///
    /// - Parameter language: A language tag. Source: RFC 5646 §2.1.
    static func all(in language: String) -> [NamedPhoneRegion] {
        let locale = Locale(identifier: language)
        return PhoneRegion.all
            .map { NamedPhoneRegion(region: $0, name: locale.localizedString(forRegionCode: $0.code) ?? $0.code) }
            .sorted { $0.name.compare($1.name, locale: locale) == .orderedAscending }
    }
}

extension PhoneRegion {
    /// Creates the region of a locale; `nil` for a locale without a region, or a region without a calling code.
    public init?(_ locale: Locale) {
        guard let code = locale.region?.identifier else { return nil }
        self.init(code)
    }

    /// The region that is set on the device.
    static var ofDevice: PhoneRegion? { PhoneRegion(.current) }
}

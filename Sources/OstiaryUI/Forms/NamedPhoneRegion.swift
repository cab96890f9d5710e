public import Foundation
public import OstiaryCore

/// A region for phone numbers, with its name in one language.
public struct NamedPhoneRegion: Hashable, Sendable, Identifiable {
    public let region: PhoneRegion
    public let name: String

    public var id: String { region.code }

    /// Name and calling code, for example `Germany (+49)`.
    public var title: String {
        // Isolated, so that the sign stays before the digits in right-to-left text. Source: Unicode UAX #9 §2.4.
        "\(name) (\u{2066}+\(region.callingCode)\u{2069})"
    }

    /// All regions, sorted by name as the language does.
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
    /// The region of a locale; nil for a locale without one, or one that has no calling code.
    public init?(_ locale: Locale) {
        guard let code = locale.region?.identifier else { return nil }
        self.init(code)
    }

    /// The region that is set on the device.
    static var ofDevice: PhoneRegion? { PhoneRegion(.current) }
}

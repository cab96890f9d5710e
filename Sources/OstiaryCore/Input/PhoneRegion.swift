/// A country or territory with its calling code, for phone numbers in national form.
public struct PhoneRegion: Hashable, Sendable, Identifiable {
    /// The region code in capital letters, for example `DE`. Source: ISO 3166-1 alpha-2.
    public let code: String
    /// The calling code without `+`, for example `49`. Several regions may share one. Source: ITU-T E.164 §6.2.1.
    public let callingCode: String
    /// The digits dialled before a national number that are not part of it, the longest first.
    let trunkPrefixes: [TrunkPrefix]
    /// The digits dialled before an international number, for example `00`; nil if they depend on the carrier.
    let internationalPrefix: String?
    /// The lengths of mobile numbers, in digits; empty if they are not needed.
    let mobileLengths: [Int]

    /// The ``code``.
    public var id: String { code }

    /// A trunk prefix, such as `0`.
    struct TrunkPrefix: Hashable, Sendable {
        let digits: String
        /// `true` if a national number may begin with the same digits.
        let isAmbiguous: Bool
    }

    /// Every region that has a calling code, in the order of their codes.
    public static let all: [PhoneRegion] = table.utf8.split(separator: UInt8(ascii: "\n"))
        .compactMap { PhoneRegion(row: Substring($0)) }

    /// Finds the region with a code, for example `DE`.
    ///
    /// - Returns: Nil for a region without a calling code and for an unknown code.
    public init?(_ code: String) {
        guard code.utf8.count == 2, let region = Self.all.first(where: { $0.code.utf8.elementsEqual(code.utf8) })
        else { return nil }
        self = region
    }

    private init?(row: Substring) {
        let parts = row.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count >= 4 else { return nil }
        (code, callingCode) = (parts[0], parts[1])
        trunkPrefixes = parts[2].utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }.filter { $0 != "-" }
            .map { part in
                let isAmbiguous = part.utf8.last == UInt8(ascii: "?")
                return TrunkPrefix(digits: String(isAmbiguous ? part.dropLast() : part), isAmbiguous: isAmbiguous)
            }
        internationalPrefix = parts[3] == "-" ? nil : parts[3]
        mobileLengths =
            parts.count > 4 ? parts[4].utf8.split(separator: UInt8(ascii: ",")).compactMap { Int(Substring($0)) } : []
    }
}

extension PhoneRegion {
    /// Returns the digits of an international number, without `+`, for the digits of a national one.
    ///
    /// - Parameter dialled: The digits as dialled within the region.
    func internationalDigits(_ dialled: Substring) -> String {
        if let internationalPrefix, dialled.utf8.starts(with: internationalPrefix.utf8) {
            return String(Substring(dialled.utf8.dropFirst(internationalPrefix.utf8.count)))
        }
        for prefix in trunkPrefixes where dialled.utf8.starts(with: prefix.digits.utf8) {
            let national = Substring(dialled.utf8.dropFirst(prefix.digits.utf8.count))
            let (length, full) = (national.utf8.count, dialled.utf8.count)
            guard !prefix.isAmbiguous || (mobileLengths.contains(length) && !mobileLengths.contains(full)) else {
                continue
            }
            return callingCode + national
        }
        return callingCode + dialled
    }
}

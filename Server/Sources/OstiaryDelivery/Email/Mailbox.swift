package import OstiaryCore

/// A sender: an address with an optional display name.
package struct Mailbox: Hashable, Sendable {
    package let displayName: String?
    package let address: EmailAddress

    /// Parses a sender.
    ///
    /// - Parameter text: `no-reply@example.com` or `Example <no-reply@example.com>`.
    /// - Throws: ``InvalidDeliverySetting`` for any other form, and for an address that is not ASCII, since its domain
    ///   becomes part of every Message-ID.
    package init(_ text: String) throws(InvalidDeliverySetting) {
        let need = InvalidDeliverySetting("must be one address like Example <no-reply@example.com>")
        guard text.isOneLine, text.utf8.count <= 400 else { throw need }
        let parts = text.split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
        var name = ""
        var address = text
        if parts.count == 2 {
            guard parts[1].hasSuffix(">") else { throw need }
            name = String(parts[0])
            address = String(parts[1].dropLast())
        }
        name = Self.trimmed(name)
        if name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") { name = String(name.dropFirst().dropLast()) }
        guard !name.contains(where: { "\"\\<>".contains($0) }), address.utf8.allSatisfy({ $0 < 0x80 }),
            let parsed = try? EmailAddress(address)
        else { throw need }
        displayName = name.isEmpty ? nil : name
        self.address = parsed
    }

    var domain: Substring { address.text.drop { $0 != "@" }.dropFirst() }

    private static func trimmed(_ text: String) -> String {
        var rest = Substring(text)
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}

import OstiaryCore

extension AccountChange {
    /// The names of the profile's fields and attributes that the change sets, as the admin API spells them, for a detail of an
    /// audit event. They are without their values, which are personal data.
    var fieldNames: String {
        let identifiers = identifiers ?? IdentifierChange()
        let fields = [
            ("email", identifiers.email.isChange), ("email_verified", identifiers.isEmailVerified != nil),
            ("username", identifiers.username.isChange), ("phone_number", identifiers.phoneNumber.isChange),
            ("phone_number_verified", identifiers.isPhoneNumberVerified != nil),
            ("full_name", fullName != nil || removesFullName),
        ]
        let attributes = attributes.removed.union(attributes.values.keys).sorted().map { "attributes.\($0)" }
        return AuditEvent.detail(listing: fields.filter(\.1).map(\.0) + attributes)
    }
}

extension AuditEvent {
    /// Returns names as one detail. Those beyond the maximum length are replaced by their number.
    static func detail(listing names: [String]) -> String {
        var shown = names.count
        while true {
            let left = names.count - shown
            let text = (names.prefix(shown) + (left > 0 ? ["+\(left)"] : [])).joined(separator: ", ")
            guard shown > 0, text.utf8.count > maximumDetailBytes else { return text }
            shown -= 1
        }
    }
}

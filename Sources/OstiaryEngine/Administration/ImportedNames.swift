public import OstiaryCore

/// The names of a person in an import, by which the account that the person has already is recognized.
public struct ImportedNames: Hashable, Sendable {
    /// The username.
    public var username: Username?
    /// The email address.
    public var email: EmailAddress?
    /// The phone number.
    public var phoneNumber: PhoneNumber?

    /// Creates the names from their parts.
    public init(username: Username?, email: EmailAddress?, phoneNumber: PhoneNumber?) {
        self.username = username
        self.email = email
        self.phoneNumber = phoneNumber
    }

    /// Returns `true` if a local account with these names is the one that an import of `new` adds.
    ///
    /// - Parameter hasID: `true` if the ids are equal. Otherwise only the spelling distinguishes usernames that differ in case.
    public func isSamePerson(as new: ImportedNames, hasID: Bool = false) -> Bool {
        // An import may have omitted the email.
        guard email == new.email || email == nil && username != nil, phoneNumber == new.phoneNumber else {
            return false
        }
        guard let name = new.username else { return username == nil }
        guard !hasID else { return username == name }
        return username?.verbatim.utf8.elementsEqual(name.verbatim.utf8) ?? false
    }
}

import OstiaryCore
import OstiaryEngine

/// The owner of an account, with the networks that the owner uses.
struct Person {
    let email: EmailAddress
    let phoneNumber: PhoneNumber
    let password: String
    /// The network at home, which no other person has.
    let home: String
    /// The network of the mobile carrier, whose address many people share.
    let carrier: String
    /// The token of the usual device; `nil` until the server has issued one.
    var device: Secret<String>?
    /// The networks from which the person has signed in.
    var used: Set<String> = []
}

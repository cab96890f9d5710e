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
    /// `true` if the person's client solves the computation that it is asked for.
    let computes: Bool
    /// The token of the usual device; `nil` until the server has issued one.
    var device: Secret<String>?
    /// The token of another device, which a device link has handed out; `nil` for none.
    var otherDevice: Secret<String>?
    /// The networks from which the person has signed in.
    var used: Set<String> = []
}

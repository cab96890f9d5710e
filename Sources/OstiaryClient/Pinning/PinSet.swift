public import Foundation

/// The public keys that an app accepts from its server.
///
/// A connection is accepted if any certificate of the validated chain has one of these keys: the server's own, an
/// intermediate's or the root's. Pins are checked in addition to the system's trust evaluation and never replace it.
///
/// **Rotation.** An installed app cannot learn a new key, so a set has at least two pins, one of them for a key that is
/// not in use yet: generate a backup key in advance and keep it offline, or pin the keys of two certificate
/// authorities. When the server changes to the backup key, release the app with a new backup key.
///
/// **Expiry.** Without ``expires``, which is the default, pins are enforced for as long as the app is installed. With
/// it, an app that is no longer updated falls back to the system's trust evaluation on that date instead of losing its
/// connection: an attacker who can set the device's clock forward then bypasses the pins, and still needs a certificate
/// that the system trusts. ``AfterExpiry/enforced`` keeps them in force; ``isExpired(at:)`` then reports that a new
/// release is overdue.
public struct PinSet: Hashable, Sendable {
    /// The behaviour of pins after their expiry date.
    public enum AfterExpiry: Hashable, Sendable {
        /// The pins are ignored; the system's trust evaluation alone decides.
        case systemDecides
        /// The pins stay enforced.
        case enforced
    }

    /// The pins, each the base64 of the SHA-256 of a SubjectPublicKeyInfo, without its `sha256/`.
    public let pins: Set<String>
    /// The end of the period for which the pins were made; nil for no end.
    public let expires: Date?
    /// The behaviour from ``expires`` on.
    public let afterExpiry: AfterExpiry

    /// No pins: the system's trust evaluation alone decides.
    public static let none = PinSet(pins: [], expires: nil, afterExpiry: .enforced)
    /// `true` if there are no pins.
    public var isEmpty: Bool { pins.isEmpty }

    /// Creates a set of at least two pins.
    ///
    /// - Parameters:
    ///   - pins: Each `sha256/` and the base64 of the SHA-256 of a SubjectPublicKeyInfo, as `ostiary pin` prints it.
    ///   - expires: The end of the period for which the pins are made; nil for no end.
    /// - Throws: ``PinProblem/malformed(_:)`` for a text that is not a pin; ``PinProblem/tooFew`` with fewer than two
    ///   different pins.
    public init(
        _ pins: [String], expires: Date? = nil, afterExpiry: AfterExpiry = .systemDecides
    ) throws(PinProblem) {
        var known: Set<String> = []
        for pin in pins { known.insert(try PublicKeyPin(pin).base64) }
        guard known.count >= 2 else { throw .tooFew }
        self.init(pins: known, expires: expires, afterExpiry: afterExpiry)
    }

    private init(pins: Set<String>, expires: Date?, afterExpiry: AfterExpiry) {
        self.pins = pins
        self.expires = expires
        self.afterExpiry = afterExpiry
    }

    /// Returns `true` from ``expires`` on; always `false` without it.
    public func isExpired(at now: Date) -> Bool { expires.map { now >= $0 } ?? false }

    /// Returns `true` if a connection needs one of the pins at that time.
    public func isEnforced(at now: Date) -> Bool { !isEmpty && (afterExpiry == .enforced || !isExpired(at: now)) }

    /// Returns `true` if a server that presented this chain may be used.
    ///
    /// - Parameter chain: The certificates in DER, as *validated* by the system. In the chain that a server merely
    ///   presents, an attacker can include a copy of a pinned authority's certificate next to a leaf of their own.
    public func allows(chain: some Sequence<some Collection<UInt8>>, at now: Date) -> Bool {
        allows(keys: chain.lazy.compactMap { PublicKeyPin(certificate: $0) }, at: now)
    }

    /// Returns `true` if the pins are not enforced, or one of the keys is pinned.
    ///
    /// - Parameter keys: The keys of the validated chain.
    package func allows(keys: some Sequence<PublicKeyPin>, at now: Date) -> Bool {
        !isEnforced(at: now) || keys.contains { pins.contains($0.base64) }
    }
}

extension PinSet: CustomStringConvertible {
    /// The number of pins and their expiry date.
    public var description: String {
        isEmpty ? "no pins" : "\(pins.count) pins" + (expires.map { " until \($0.formatted(.iso8601))" } ?? "")
    }
}

/// The properties of a caller that an account knows from earlier sign-ins. They prove nothing alone: they separate the
/// limits of the account's owner from those of unauthenticated callers.
public struct Recognition: Hashable, Sendable {
    /// `true` if the caller presents the secret of a device that signed in to the account.
    public var isDeviceRecognized: Bool
    /// `true` if the account was signed in to from the caller's network.
    public var isNetworkKnown: Bool

    /// `true` if the device is recognized or the network is known.
    public var isRecognized: Bool { isDeviceRecognized || isNetworkKnown }

    /// Creates the properties of a caller from their parts.
    public init(isDeviceRecognized: Bool = false, isNetworkKnown: Bool = false) {
        self.isDeviceRecognized = isDeviceRecognized
        self.isNetworkKnown = isNetworkKnown
    }
}

/// A setting that no provider can work with. Says what is needed, and repeats nothing of what was given.
public struct InvalidProviderSetting: Error, Hashable, Sendable, CustomStringConvertible {
    public let need: String

    init(_ need: String) { self.need = need }

    public var description: String { need }
}

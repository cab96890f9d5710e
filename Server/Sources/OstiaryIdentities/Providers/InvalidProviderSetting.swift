/// A setting that no provider can work with. Says what is needed, and repeats nothing of what was given.
package struct InvalidProviderSetting: Error, Hashable, Sendable, CustomStringConvertible {
    package let need: String

    init(_ need: String) { self.need = need }

    package var description: String { need }
}

/// A setting that no provider can work with. Describes the requirement, and repeats nothing of the value.
package struct InvalidProviderSetting: Error, Hashable, Sendable, CustomStringConvertible {
    package let need: String

    init(_ need: String) { self.need = need }

    package var description: String { need }
}

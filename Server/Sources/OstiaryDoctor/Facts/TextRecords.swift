/// The TXT records of a name.
package enum TextRecords: Hashable, Sendable {
    /// Empty where the name does not exist.
    case records([String])
    /// No name server answers.
    case unanswered
}

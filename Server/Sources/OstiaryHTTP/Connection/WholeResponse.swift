/// An answer whose body is in memory.
struct WholeResponse: Sendable {
    var head: ResponseHead
    var body: [UInt8]
    /// `true` in answer to HEAD: the length of the body is told, and the body is not sent. The client would read it as the
    /// beginning of the next answer.
    var omitsBody = false
}

public import OstiaryContracts
public import OstiaryCore

/// What a log line says: text from the source, and values that are known to be harmless.
///
/// Only the interpolations below exist. A `String`, an error, a date or a type of the app's own does not compile, so that
/// nobody logs a password, a token or a server's words by accident.
///
/// ```swift
/// log.debug(.session, "refresh refused: \(code: refusal), session \(session.id)")
/// ```
public struct LogMessage: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// Printable, on one line.
    public let text: String

    // Of static text, so that no text of run time passes for a literal.
    public init(stringLiteral value: StaticString) { text = LogText.escaped(value.description) }
    public init(stringInterpolation: StringInterpolation) { text = LogText.escaped(stringInterpolation.text) }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        // MARK: Numbers, times and names from closed lists

        public mutating func appendInterpolation(_ number: some FixedWidthInteger) { text += "\(number)" }
        public mutating func appendInterpolation(_ number: Double) { text += "\(number)" }
        public mutating func appendInterpolation(_ flag: Bool) { text += "\(flag)" }
        public mutating func appendInterpolation(_ duration: Duration) { text += LogText.milliseconds(duration) }
        /// A case of an enumeration that can be counted out; a type that wraps any text cannot.
        public mutating func appendInterpolation<Value: RawRepresentable & CaseIterable>(_ value: Value)
        where Value.RawValue == String { text += value.rawValue }
        public mutating func appendInterpolation(public text: StaticString) { self.text += text.description }

        // MARK: Failures, by their code

        public mutating func appendInterpolation(_ code: FailureCode) { text += code.text }
        public mutating func appendInterpolation(code error: AuthError) { text += FailureCode(error).text }
        public mutating func appendInterpolation(code error: TransportError) { text += FailureCode(error).text }
        public mutating func appendInterpolation(code error: ClientError) { text += FailureCode(error).text }
        public mutating func appendInterpolation(code problem: StoreProblem) { text += FailureCode(problem).text }

        // MARK: Who, in part

        public mutating func appendInterpolation(_ id: ClientSession.ID) { text += LogText.beginning(of: id.rawValue) }
        public mutating func appendInterpolation(_ id: AccountID) { text += LogText.beginning(of: id.text) }
        public mutating func appendInterpolation(_ id: SessionID) { text += LogText.beginning(of: id.text) }
        public mutating func appendInterpolation(_ number: PhoneNumber) { text += number.masked }
        public mutating func appendInterpolation(_ email: EmailAddress) { text += email.masked }
        public mutating func appendInterpolation(_ username: Username) { text += username.masked }
        public mutating func appendInterpolation(_ identifier: Identifier) {
            switch identifier {
            case .email(let email): appendInterpolation(email)
            case .phoneNumber(let number): appendInterpolation(number)
            case .username(let username): appendInterpolation(username)
            }
        }

        // MARK: What was sent

        /// Method and path. Queries hold codes and tokens.
        public mutating func appendInterpolation(_ request: WireRequest) {
            text += "\(LogText.cut(request.method)) \(LogText.path(request.path))"
        }
        /// Status and length.
        public mutating func appendInterpolation(_ response: WireResponse) {
            text += "\(response.status), \(response.body.count) bytes"
        }
        public mutating func appendInterpolation(_ url: BaseURL) { text += LogText.cut(url.text) }
        public mutating func appendInterpolation(_ id: QueuedRequest.ID) { text += LogText.beginning(of: id.text) }
    }
}

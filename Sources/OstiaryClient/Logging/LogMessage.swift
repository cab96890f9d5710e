public import OstiaryContracts
public import OstiaryCore

/// The text of a log line: literals from the source code, and values that are known to be harmless.
///
/// Only the interpolations below exist. A `String`, an error, a date or an app's own type does not compile, so that no
/// password, token or server text is logged by accident.
///
/// ```swift
/// log.debug(.session, "refresh refused: \(code: refusal), session \(session.id)")
/// ```
public struct LogMessage: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The text: printable, on one line.
    public let text: String

    // A `StaticString`, so that no text computed at run time is accepted as a literal.
    /// Creates a message from a literal without interpolations.
    public init(stringLiteral value: StaticString) { text = LogText.escaped(value.description) }
    /// Creates a message from a literal with interpolations.
    public init(stringInterpolation: StringInterpolation) { text = LogText.escaped(stringInterpolation.text) }

    /// The interpolations that a log message accepts.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an interpolation with capacity for 16 bytes per value.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends a literal of the source code.
        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        // MARK: Numbers, times and names from closed lists

        /// Appends an integer in decimal.
        public mutating func appendInterpolation(_ number: some FixedWidthInteger) { text += "\(number)" }
        /// Appends a floating-point number.
        public mutating func appendInterpolation(_ number: Double) { text += "\(number)" }
        /// Appends `true` or `false`.
        public mutating func appendInterpolation(_ flag: Bool) { text += "\(flag)" }
        /// Appends a duration in whole milliseconds.
        public mutating func appendInterpolation(_ duration: Duration) { text += LogText.milliseconds(duration) }
        /// Appends a case of an enumeration whose cases are all known; a type that wraps any text does not conform.
        public mutating func appendInterpolation<Value: RawRepresentable & CaseIterable>(_ value: Value)
        where Value.RawValue == String { text += value.rawValue }
        /// Appends a literal of the source code that is held in a constant.
        public mutating func appendInterpolation(public text: StaticString) { self.text += text.description }

        // MARK: Failures, by their code

        /// Appends the text of a failure code.
        public mutating func appendInterpolation(_ code: FailureCode) { text += code.text }
        /// Appends the failure code of a server's refusal.
        public mutating func appendInterpolation(code error: AuthError) { text += FailureCode(error).text }
        /// Appends the failure code of a transport error.
        public mutating func appendInterpolation(code error: TransportError) { text += FailureCode(error).text }
        /// Appends the failure code of a client error.
        public mutating func appendInterpolation(code error: ClientError) { text += FailureCode(error).text }
        /// Appends the failure code of a store problem, without its path.
        public mutating func appendInterpolation(code problem: StoreProblem) { text += FailureCode(problem).text }

        // MARK: Identifiers, truncated or masked

        /// Appends the first 8 characters of the id.
        public mutating func appendInterpolation(_ id: ClientSession.ID) { text += LogText.beginning(of: id.rawValue) }
        /// Appends the first 8 characters of the account's id.
        public mutating func appendInterpolation(_ id: AccountID) { text += LogText.beginning(of: id.text) }
        /// Appends the first 8 characters of the server's session id.
        public mutating func appendInterpolation(_ id: SessionID) { text += LogText.beginning(of: id.text) }
        /// Appends the masked phone number.
        public mutating func appendInterpolation(_ number: PhoneNumber) { text += number.masked }
        /// Appends the masked email address.
        public mutating func appendInterpolation(_ email: EmailAddress) { text += email.masked }
        /// Appends the masked username.
        public mutating func appendInterpolation(_ username: Username) { text += username.masked }
        /// Appends the masked identifier.
        public mutating func appendInterpolation(_ identifier: Identifier) {
            switch identifier {
            case .email(let email): appendInterpolation(email)
            case .phoneNumber(let number): appendInterpolation(number)
            case .username(let username): appendInterpolation(username)
            }
        }

        // MARK: Requests and answers

        /// Appends method and path, without the query, which may contain codes and tokens.
        public mutating func appendInterpolation(_ request: WireRequest) {
            text += "\(LogText.cut(request.method)) \(LogText.path(request.path))"
        }
        /// Appends status and length of the body.
        public mutating func appendInterpolation(_ response: WireResponse) {
            text += "\(response.status), \(response.body.count) bytes"
        }
        /// Appends the base URL, at most 200 bytes of it.
        public mutating func appendInterpolation(_ url: BaseURL) { text += LogText.cut(url.text) }
        /// Appends the first 8 characters of the request's id.
        public mutating func appendInterpolation(_ id: QueuedRequest.ID) { text += LogText.beginning(of: id.text) }
    }
}

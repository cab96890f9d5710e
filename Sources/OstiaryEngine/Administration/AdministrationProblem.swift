/// The refusal of an administrator's request.
public struct AdministrationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the refusal.
    public var reason: Reason
    /// The stable, machine-readable name, for example `identifier_taken`.
    public var code: String
    /// The rejected field of the input as a JSON pointer, for example `/email`; nil for other refusals. Source: RFC 6901.
    public var pointer: String?
    /// The number of seconds after which the request may be repeated; nil if a repetition is pointless.
    public var retryAfterSeconds: Int?
    /// The other problems of the same input, each at a field of its own; empty for most refusals.
    public var further: [AdministrationProblem] = []
    /// The message, one line for the administrator. It may contain identifiers in full.
    public var description: String

    /// The kind of a refusal.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The input is not acceptable.
        case invalid
        /// The app has no such account, session, factor or identity.
        case notFound = "not_found"
        /// The input is acceptable, and the present state does not permit it.
        case conflict
        /// The actor may not do this.
        case forbidden
        /// The request is refused for the moment.
        case busy
    }

    /// Creates a problem from its parts.
    public init(
        _ reason: Reason, code: String, pointer: String? = nil, retryAfterSeconds: Int? = nil, _ description: String
    ) {
        self.reason = reason
        self.code = code
        self.pointer = pointer
        self.retryAfterSeconds = retryAfterSeconds
        self.description = description
    }

    /// Creates a problem with the input of a command, for display only.
    public init(_ description: String) { self.init(.invalid, code: "invalid_request", description) }
}

extension AdministrationProblem {
    /// The problem and the ``further`` ones, each by itself.
    public var all: [AdministrationProblem] {
        var first = self
        first.further = []
        return [first] + further
    }

    /// Creates the refusal of a request for something that the app does not have.
    public static func notFound(_ description: String) -> AdministrationProblem {
        AdministrationProblem(.notFound, code: "not_found", description)
    }

    /// Creates the refusal of a request that the present state does not permit.
    public static func conflict(_ code: String, pointer: String? = nil, _ description: String) -> AdministrationProblem
    {
        AdministrationProblem(.conflict, code: code, pointer: pointer, description)
    }

    /// Creates the refusal of a field of the input.
    ///
    /// - Parameter field: The name of the field, without the slash of the pointer.
    public static func invalid(_ field: String, _ code: String, _ description: String) -> AdministrationProblem {
        AdministrationProblem(.invalid, code: code, pointer: "/\(field)", description)
    }

    /// Creates the refusal of a request that may be repeated later.
    public static func busy(retryAfterSeconds seconds: Int) -> AdministrationProblem {
        AdministrationProblem(
            .busy, code: "too_many_requests", retryAfterSeconds: seconds, "too many at once: try again in \(seconds) s")
    }
}

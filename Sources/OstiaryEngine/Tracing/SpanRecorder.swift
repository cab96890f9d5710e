/// A tracing system that records spans. Without one, no span is created.
///
/// Names and attributes contain neither personal data nor secrets: names are of operations, of functions and of hosts.
public protocol SpanRecorder: Sendable {
    /// Records the duration and the outcome of `body` as a span. Spans that `body` causes are its children.
    nonisolated(nonsending) func withSpan<Value, Failure: Error>(
        _ span: SpanDescription,
        _ body: nonisolated(nonsending) (any RecordedSpan) async throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// The headers by which another server continues the current span.
    var propagationHeaders: [(name: String, value: String)] { get }
}

/// A span that is being recorded.
public protocol RecordedSpan: Sendable {
    /// The position of the span; nil where the tracing system does not use the ids of W3C Trace Context.
    var context: TraceContext? { get }

    /// Replaces the name.
    func rename(_ name: String)
    /// Adds or replaces an attribute.
    func set(_ attribute: SpanDescription.Attribute)
    /// Marks the span as failed.
    func fail()
}

/// The beginning of a span.
public struct SpanDescription: Sendable {
    /// The role of a span.
    public enum Kind: Sendable {
        /// The work for a request to this server.
        case server
        /// A request to another server.
        case client
        /// Work within the process.
        case `internal`
    }

    /// An attribute, by its name in the semantic conventions of OpenTelemetry where those have one.
    public struct Attribute: Hashable, Sendable {
        /// The value of an attribute.
        public enum Value: Hashable, Sendable {
            /// A text from a bounded set.
            case text(String)
            /// A number.
            case integer(Int)
        }

        /// The name.
        public let name: String
        /// The value.
        public let value: Value

        /// Creates an attribute.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The name.
    public let name: String
    /// The role.
    public let kind: Kind
    /// The attributes at the beginning.
    public let attributes: [Attribute]
    /// The position of the request that caused the span, where that was on another server.
    public let parent: TraceContext?

    /// Creates a description.
    public init(_ name: String, _ kind: Kind, attributes: [Attribute] = [], parent: TraceContext? = nil) {
        self.name = name
        self.kind = kind
        self.attributes = attributes
        self.parent = parent
    }
}

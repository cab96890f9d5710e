import OstiaryEngine

extension SpanDescription.Attribute {
    /// The database system, by the semantic conventions of OpenTelemetry.
    static func system(_ name: String) -> Self { Self("db.system.name", .text(name)) }
}

/// The tags of a record such as `v=DMARC1; p=none`. Source: RFC 6376 §3.2.
struct RecordTags {
    let tags: [(name: String, value: String)]

    init(_ text: String) {
        tags = text.split(separator: ";").compactMap { tag in
            let parts = tag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (String(parts[0].filter { !$0.isWhitespace }), String(parts[1].filter { !$0.isWhitespace }))
        }
    }

    var first: (name: String, value: String)? { tags.first }

    subscript(name: String) -> String? { tags.first { $0.name == name }?.value }
}

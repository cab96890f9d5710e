/// PostgreSQL keeps every text but one that holds NUL. What a device or a stranger says of itself loses it, rather than
/// being refused: nobody depends on it.
extension String {
    var keepable: String { utf8.contains(0) ? String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self) : self }
}

extension String? {
    var keepable: String? { self?.keepable }
}

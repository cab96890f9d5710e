/// PostgreSQL stores every text except one that contains NUL. Such characters are removed from self-reported text of
/// devices and unauthenticated callers, rather than the text refused: no feature depends on them.
extension String {
    var keepable: String { utf8.contains(0) ? String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self) : self }
}

extension String? {
    var keepable: String? { self?.keepable }
}

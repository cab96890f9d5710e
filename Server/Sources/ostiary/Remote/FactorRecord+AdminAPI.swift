import OstiaryAdmin

extension FactorRecord {
    init(_ factor: AdminFactor) {
        self.init(
            id: factor.id, type: factor.type, name: factor.name, createdAt: factor.createdAt,
            lastUsedAt: factor.lastUsedAt)
    }
}

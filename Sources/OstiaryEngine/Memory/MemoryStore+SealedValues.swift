public import Foundation
import OstiaryCore

extension MemoryStore {
    /// Returns the sealed key of that name, after adding `sealed` if there is none.
    public func storeKey(_ name: String, orAdding sealed: [UInt8], at now: Date) -> [UInt8] {
        transaction { tables in
            if let key = tables.storeKeys[Array(name.utf8)] { return key }
            tables.storeKeys[Array(name.utf8)] = sealed
            return sealed
        }
    }

    /// Returns at most `limit` values of a kind in the order of their positions, after a position.
    public func sealedValues(
        _ kind: SealedValue.Kind, after position: SealedValue.Position?, limit: Int
    ) -> [SealedValue] {
        let values = transaction { $0.sealedValues(kind) }.sorted { $0.position < $1.position }
        let rest = values.filter { value in position.map { $0 < value.position } ?? true }
        return Array(rest.prefix(limit))
    }

    /// Replaces the bytes of a value, unless they are no longer those of `value`.
    public func replace(_ value: SealedValue, with sealed: [UInt8]) -> Bool {
        transaction { tables in
            guard tables.sealedValues(value.kind).contains(value) else { return false }
            tables.replace(value, with: sealed)
            return true
        }
    }
}

extension MemoryTables {
    fileprivate func sealedValues(_ kind: SealedValue.Kind) -> [SealedValue] {
        func value(_ names: [String], _ bytes: [UInt8]) -> SealedValue {
            SealedValue(kind, at: SealedValue.Position(texts: names), names: names, bytes: bytes)
        }
        switch kind {
        case .storeKey: return storeKeys.map { value([String(decoding: $0.key, as: UTF8.self)], $0.value) }
        case .signingKey: return signingKeys.map { value([$0.app.text, $0.kid], $0.sealedPrivateKey) }
        case .endpointSecret: return eventTables.endpoints.map { value([$0.endpoint.id.text], $0.secrets.current) }
        case .previousEndpointSecret:
            return eventTables.endpoints.compactMap { row in
                row.secrets.previous.map { value([row.endpoint.id.text], $0) }
            }
        case .factor:
            return apps.values.flatMap(\.rows.values).flatMap(\.factors).filter { $0.kind == .totp }.map {
                value([$0.app.text, $0.account.text, $0.id.text], $0.material)
            }
        case .factorUndo, .signInDenial:
            return singleUseRecords.filter { $0.key.kind.rawValue == kind.rawValue && !$0.value.record.payload.isEmpty }
                .map { key, row in
                    let position = SealedValue.Position(texts: [key.app.text, key.kind.rawValue], hash: key.hash)
                    return SealedValue(kind, at: position, names: [key.app.text], bytes: row.record.payload)
                }
        case .signInHistory:
            return apps.values.flatMap(\.rows.values).compactMap { row in
                row.signInHistory.map { value([row.account.app.text, row.account.id.text], $0.sealed) }
            }
        case .sessionAttachment:
            return sessions.values.compactMap { row in
                row.attachment.map { value([row.session.app.text, row.session.id.text], $0.bytes) }
            }
        case .message: return messages.values.map { value([$0.message.app.text, $0.message.id], $0.message.sealed) }
        case .failedMessage:
            return messageRecords.values.compactMap { record in
                record.sealed.map { value([record.app.text, record.id], $0) }
            }
        case .answer:
            return idempotentRequests.compactMap { hash, row in
                row.answer.map { SealedValue(kind, at: SealedValue.Position(hash: hash), names: [], bytes: $0) }
            }
        }
    }

    fileprivate mutating func replace(_ value: SealedValue, with sealed: [UInt8]) {
        func isOf(_ names: [String]) -> Bool { names == value.names }
        switch value.kind {
        case .storeKey: storeKeys[Array(value.names[0].utf8)] = sealed
        case .signingKey:
            for index in signingKeys.indices where isOf([signingKeys[index].app.text, signingKeys[index].kid]) {
                signingKeys[index].sealedPrivateKey = sealed
            }
        case .endpointSecret, .previousEndpointSecret:
            for index in eventTables.endpoints.indices where isOf([eventTables.endpoints[index].endpoint.id.text]) {
                if value.kind == .endpointSecret {
                    eventTables.endpoints[index].secrets.current = sealed
                } else {
                    eventTables.endpoints[index].secrets.previous = sealed
                }
            }
        case .factor, .signInHistory: replaceOfAccount(value, with: sealed)
        case .factorUndo, .signInDenial:
            for key in singleUseRecords.keys where key.kind.rawValue == value.kind.rawValue {
                guard key.hash == value.position.hash, isOf([key.app.text]) else { continue }
                singleUseRecords[key]?.record.payload = sealed
            }
        case .sessionAttachment:
            for id in sessions.keys where id.text == value.names[1] { sessions[id]?.attachment?.bytes = sealed }
        case .message: messages[value.names[1]]?.message.sealed = sealed
        case .failedMessage: messageRecords[value.names[1]]?.sealed = sealed
        case .answer: if let hash = value.position.hash { idempotentRequests[hash]?.answer = sealed }
        }
    }

    private mutating func replaceOfAccount(_ value: SealedValue, with sealed: [UInt8]) {
        guard let app = apps.keys.first(where: { $0.text == value.names[0] }),
            let account = apps[app]?.rows.keys.first(where: { $0.text == value.names[1] })
        else { return }
        guard value.kind == .factor else {
            apps[app]?.rows[account]?.signInHistory?.sealed = sealed
            return
        }
        let index = apps[app]?.rows[account]?.factors.firstIndex { $0.id.text == value.names[2] }
        if let index { apps[app]?.rows[account]?.factors[index].material = sealed }
    }
}

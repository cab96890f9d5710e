import OstiaryCore

extension Contract {
    /// Every name that a message of the contract gives to something else than an account attribute, in the contract's
    /// spelling and in both naming rules: a later version of the contract may use it.
    var reservedNames: Set<String> {
        var names: Set<String> = [failureKey, Codec.messageKey]
        names.formUnion(Codec.Key.all)
        if let envelope { names.formUnion([envelope.successKey, envelope.dataKey]) }
        for field in Field.allCases {
            names.formUnion([
                field.canonicalName, field.snakeCasedName, field.rawValue, field.snakeCased, spelling(of: field),
            ])
        }
        for (_, endpoint) in operations { names.formUnion((endpoint.names ?? [:]).values) }
        return names
    }

    /// Returns the name of the contract with which an account attribute collides: its declared name, or its spelling on
    /// the wire; nil if it collides with none.
    public func nameTaken(byAttribute name: String) -> String? {
        let reserved = reservedNames
        return [name, naming.spelling(ofAttribute: name)].first(where: reserved.contains)
    }
}

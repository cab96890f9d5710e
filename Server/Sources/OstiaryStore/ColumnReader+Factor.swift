import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``factor()`` reads.
    static var factorColumns: String {
        "app, account_id, id, kind, name, material, credential_id, counter, created_at, last_used_at"
    }

    mutating func factor() throws -> Factor {
        Factor(
            app: try value(AppName.init), account: try value(AccountID.init), id: try value(FactorID.init),
            kind: try value { text in
                guard let kind = Factor.Kind(rawValue: text) else { throw FieldProblem.malformed }
                return kind
            },
            name: try text(), material: try bytes(), credentialID: try optionalBytes(), counter: try integer(),
            createdAt: try date(), lastUsedAt: try optionalDate())
    }

    /// Reads a factor, and the number of its account's recovery codes.
    mutating func factorWithCodeCount() throws -> (factor: Factor, recoveryCodes: Int) {
        (try factor(), Int(try integer()))
    }
}

extension EnrolledFactors {
    /// Creates the factors of an account from its rows. An account without a factor has no recovery codes.
    init(_ rows: [(factor: Factor, recoveryCodes: Int)]) {
        self.init(factors: rows.map(\.factor), recoveryCodesLeft: rows.first?.recoveryCodes ?? 0)
    }
}

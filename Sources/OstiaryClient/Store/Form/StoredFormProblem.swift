import Foundation
import OstiaryContracts

/// The reason for which bytes are not sessions that this version reads.
enum StoredFormProblem: Error, Hashable {
    case damaged
    case newerVersion
}

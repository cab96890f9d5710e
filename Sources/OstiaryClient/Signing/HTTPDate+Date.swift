import Foundation
import OstiaryContracts

extension HTTPDate {
    var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }
}

/// Returns `; did you mean NAME?` for the nearest of the known names, or empty text if none is near.
package func suggestion(for name: String, among known: [String]) -> String {
    nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
}

/// Returns the nearest of the known names; nil if none is near.
func nearest(to name: String, among known: [String]) -> String? {
    let nearest = known.map { (name: $0, distance: editDistance(name, $0)) }.min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(2, name.utf8.count / 3) else { return nil }
    return nearest.name
}

/// Returns the number of letters to insert, remove or replace to turn one text into the other (Levenshtein distance).
private func editDistance(_ one: String, _ other: String) -> Int {
    let letters = Array(other.utf8.prefix(128))
    var row = Array(0...letters.count)
    for (index, letter) in one.utf8.prefix(128).enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in letters.indices {
            let replaced = diagonal + (letter == letters[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row.last ?? 0
}

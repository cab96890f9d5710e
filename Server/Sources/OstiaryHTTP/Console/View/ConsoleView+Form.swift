extension ConsoleView {
    /// A form that changes something.
    struct Form {
        var formAction: String
        var formHidden: [Hidden]
        var formFields: [Field]
        var formButton: String
        var isDangerousForm = false
        var cancelURL: String?
        var cancelText: String
    }

    /// A form that selects what a list shows.
    struct Filter {
        var filterAction: String
        var filterHidden: [Hidden] = []
        var filterFields: [Field]
        var filterButton: String
        /// The page without a filter; nil if nothing is selected.
        var resetURL: String?
        var resetText: String
    }

    struct Hidden {
        var hiddenName: String
        var hiddenValue: String
    }

    /// A field: a line of text, a choice, a checkbox, several lines, or several checkboxes.
    struct Field {
        var fieldName: String
        var fieldLabel: String
        var input: Input?
        var choice: Choice?
        var check: Check?
        var area: Area?
        var group: Group?
        var fieldHint: String?
        var fieldProblem: String?

        /// The ids of the elements that describe the field. Stored, since the template reads no computed values.
        private(set) var describedBy: String?

        init(
            fieldName: String, fieldLabel: String, input: Input? = nil, choice: Choice? = nil, check: Check? = nil,
            area: Area? = nil, group: Group? = nil, fieldHint: String?, fieldProblem: String? = nil
        ) {
            self.fieldName = fieldName
            self.fieldLabel = fieldLabel
            self.input = input
            self.choice = choice
            self.check = check
            self.area = area
            self.group = group
            self.fieldHint = fieldHint
            self.fieldProblem = fieldProblem
            let ids = [fieldProblem.map { _ in "\(fieldName)-problem" }, fieldHint.map { _ in "\(fieldName)-hint" }]
            describedBy = ids.contains { $0 != nil } ? ids.compactMap(\.self).joined(separator: " ") : nil
        }

        struct Input {
            var inputType: String
            var inputValue: String
            var inputMode: String?
            var isRequired = false
        }

        struct Choice {
            var options: [Option]
        }

        struct Option {
            var optionValue: String
            var optionText: String
            var isSelected: Bool
        }

        struct Check {
            var isChecked: Bool
        }

        struct Group {
            var groupChecks: [GroupCheck]
        }

        struct GroupCheck {
            var checkName: String
            var checkText: String
            var isOn: Bool
        }

        struct Area {
            var areaValue: String
            var areaRows: Int
        }
    }
}

extension ConsoleView {
    /// Shows a problem at a field.
    ///
    /// - Returns: `true` if the page has the field.
    mutating func mark(_ name: String?, _ problem: String) -> Bool {
        var isMarked = false
        func marked(_ field: Field) -> Field {
            guard field.fieldName == name else { return field }
            isMarked = true
            return field.marked(problem)
        }
        for index in blocks.indices {
            if let fields = blocks[index].filter?.filterFields {
                blocks[index].filter?.filterFields = fields.map(marked)
            }
            if let fields = blocks[index].form?.formFields { blocks[index].form?.formFields = fields.map(marked) }
        }
        return isMarked
    }
}

extension ConsoleView.Field {
    /// Returns the field with a problem.
    func marked(_ problem: String) -> Self {
        Self(
            fieldName: fieldName, fieldLabel: fieldLabel, input: input, choice: choice, check: check, area: area,
            group: group, fieldHint: fieldHint, fieldProblem: problem)
    }

    static func text(
        _ name: String, _ label: String, value: String = "", type: String = "text", hint: String? = nil,
        isRequired: Bool = false
    ) -> Self {
        Self(
            fieldName: name, fieldLabel: label,
            input: Input(inputType: type, inputValue: value, isRequired: isRequired), fieldHint: hint)
    }

    /// - Parameter options: Each value with its text.
    static func choice(
        _ name: String, _ label: String, _ options: [(value: String, text: String)], selected: String,
        hint: String? = nil
    ) -> Self {
        Self(
            fieldName: name, fieldLabel: label,
            choice: Choice(
                options: options.map { option in
                    Option(
                        optionValue: option.value, optionText: option.text,
                        isSelected: option.value.utf8.elementsEqual(selected.utf8))
                }), fieldHint: hint)
    }

    /// - Parameter any: The text of the choice of no value; nil for none.
    static func choice<Value>(
        _ name: String, _ label: String, any: String?, _ values: [Value], selected: String,
        option: (Value) -> (value: String, text: String)
    ) -> Self {
        var options: [(value: String, text: String)] = []
        if let any { options.append(("", any)) }
        for value in values { options.append(option(value)) }
        return choice(name, label, options, selected: selected)
    }

    static func check(_ name: String, _ label: String, isChecked: Bool, hint: String? = nil) -> Self {
        Self(fieldName: name, fieldLabel: label, check: Check(isChecked: isChecked), fieldHint: hint)
    }

    static func area(
        _ name: String, _ label: String, value: String, rows: Int, hint: String? = nil
    ) -> Self {
        Self(fieldName: name, fieldLabel: label, area: Area(areaValue: value, areaRows: rows), fieldHint: hint)
    }

    /// Several checkboxes, each of which is a field of the form named by `prefix` and its value.
    static func group(
        _ name: String, _ label: String, prefix: String, _ values: [String], chosen: (String) -> Bool,
        hint: String? = nil
    ) -> Self {
        Self(
            fieldName: name, fieldLabel: label,
            group: Group(
                groupChecks: values.map {
                    GroupCheck(checkName: prefix + $0, checkText: $0, isOn: chosen(prefix + $0))
                }), fieldHint: hint)
    }
}

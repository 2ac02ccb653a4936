import RequestGrammar

/// A value for a variable as command lines and query strings write it.
///
///     try VariableText.value(of: "U1", called: "--set LINE")               // the text U1
///     try VariableText.value(of: "{U1, 'Bus, nachts', NIL}", called: …)    // two texts and NULL
///
/// NIL or NULL in capitals is NULL, and `{a, b}` is a list. Anything else is a text, without the white space around it.
/// The texts 'NIL' and '{a}' need quotes, and so do texts that begin with a quote and list elements that hold commas.
/// Quotes allow the escapes of conditions.
package enum VariableText {
    /// A text, nil, or a list of them. Throws `StoreError.syntax`, showing the place.
    package static func value(of text: String, called subject: String) throws(StoreError) -> Any? {
        do { return try SyntaxScanner.variableValue(of: text) } catch {
            throw StoreError(FormatProblem(error), in: text, called: subject)
        }
    }
}

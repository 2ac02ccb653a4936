// ICU

// The block in the editor: its settings, and a placeholder for the page that visitors see.
;(() => {
  const { createElement: h, Fragment } = window.wp.element
  const { InspectorControls, useBlockProps } = window.wp.blockEditor
  const { PanelBody, SelectControl, TextControl } = window.wp.components

  function Edit({ attributes, setAttributes }) {
    const text = (name, label) =>
      h(TextControl, { label, value: attributes[name], onChange: (value) => setAttributes({ [name]: value }) })
    const modes = [
      { value: 'inline', label: 'In place' },
      { value: 'popup', label: 'Dialog' },
      { value: 'button', label: 'Floating button' },
    ]
    return h(
      Fragment,
      null,
      h(
        InspectorControls,
        null,
        h(
          PanelBody,
          { title: 'Daybook' },
          text('service', 'Service (last part of its address)'),
          text('with', 'Provider number, or any'),
          text('label', 'Text of the button'),
          h(SelectControl, {
            label: 'Shown',
            value: attributes.mode,
            options: modes,
            onChange: (mode) => setAttributes({ mode }),
          }),
        ),
      ),
      h('div', useBlockProps(), `Daybook: ${attributes.service || 'all services'}`),
    )
  }

  window.wp.blocks.registerBlockType('daybook/booking', { edit: Edit, save: () => null })
})()

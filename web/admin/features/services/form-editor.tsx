import {
  ActionIcon,
  Badge,
  Button,
  Fieldset,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  canDecide,
  type FormField,
  type FormFieldKind,
  hasOptions,
} from '../../../../src/catalogue/services/booking-form.ts'
import { moveField, removeField, uniqueKeyFor } from './form-fields.ts'
import type { ServiceValues } from './service-values.ts'

interface FormEditorProps {
  readonly fields: UseFormReturnType<ServiceValues>
}

const kinds = [
  'text',
  'long_text',
  'number',
  'date',
  'choice',
  'choices',
  'checkbox',
] as const satisfies readonly FormFieldKind[]

/** Edits the booking form of a service: adds, orders and removes fields, and makes them conditional. */
export function FormEditor({ fields }: FormEditorProps) {
  const { t } = useTranslation()
  const { form } = fields.values
  const [opened, setOpened] = useState<number>()
  const wrong = form.findIndex((_, at) => Object.keys(fields.errors).some((name) => name.startsWith(`form.${at}.`)))
  const [lastWrong, setLastWrong] = useState(wrong)
  if (wrong !== lastWrong) {
    setLastWrong(wrong)
    // Only when errors appear: while the user corrects one field, another must not open.
    if (lastWrong < 0) setOpened(wrong)
  }
  const set = (next: FormField[], open: number | undefined): void => {
    fields.clearErrors()
    fields.setFieldValue('form', next)
    setOpened(open)
  }
  const add = (): void => {
    const key = uniqueKeyFor('', form)
    set([...form, { key, label: '', kind: 'text', help: '', required: false, options: [], when: null }], form.length)
  }
  return (
    <Fieldset legend={t('services.form.title')} p="sm">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(form.length === 0 ? 'services.form.none' : 'services.form.text')}
        </Text>
        {form.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may be empty or duplicated while it is typed
          <Paper key={at} withBorder p="xs">
            <Group gap="xs" wrap="nowrap">
              <UnstyledButton
                flex={1}
                miw={0}
                aria-expanded={opened === at}
                onClick={() => setOpened(opened === at ? undefined : at)}
              >
                <Group gap="xs">
                  {opened === at ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
                  <Text size="sm" className="breakable">
                    {field.label || t('services.form.unnamed')}
                    {field.required && ' *'}
                  </Text>
                  <Badge variant="light" color="gray" size="sm">
                    {t(`services.form.kinds.${field.kind}`)}
                  </Badge>
                </Group>
              </UnstyledButton>
              <ActionIcon
                aria-label={t('services.form.up', { label: field.label })}
                disabled={at === 0}
                onClick={() => set(moveField(form, at, at - 1), undefined)}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                aria-label={t('services.form.down', { label: field.label })}
                disabled={at === form.length - 1}
                onClick={() => set(moveField(form, at, at + 1), undefined)}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                aria-label={t('services.form.remove', { label: field.label })}
                onClick={() => set(removeField(form, at), undefined)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
            {opened === at && <FieldEditor fields={fields} at={at} field={field} />}
          </Paper>
        ))}
        <Button variant="default" size="compact-sm" w="fit-content" leftSection={<IconPlus size={14} />} onClick={add}>
          {t('services.form.add')}
        </Button>
      </Stack>
    </Fieldset>
  )
}

interface FieldEditorProps extends FormEditorProps {
  readonly at: number
  readonly field: FormField
}

function FieldEditor({ fields, at, field }: FieldEditorProps) {
  const { t } = useTranslation()
  const { form } = fields.values
  const isNew = !fields.getInitialValues().form.some(({ key }) => key === field.key)
  const own = (name: keyof FormField) => fields.getInputProps(`form.${at}.${name}`)
  const put = (change: Partial<FormField>): void => {
    fields.clearFieldError(`form.${at}.when`)
    fields.setFieldValue(`form.${at}`, { ...field, ...change })
  }
  /**
   * Stores a change that gives the field another key, and updates the conditions of later fields that refer to the old
   * key.
   */
  const rename = (change: Partial<FormField> & { readonly key: string }): void => {
    put(change)
    for (const [place, { when }] of form.entries())
      if (place > at && when?.field === field.key)
        fields.setFieldValue(`form.${place}.when`, { ...when, field: change.key })
  }
  return (
    <Stack gap="sm" mt="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput
          label={t('services.form.label')}
          data-autofocus
          {...own('label')}
          onChange={(event) => {
            const label = event.currentTarget.value
            fields.clearFieldError(`form.${at}.label`)
            // The key of a new field is derived from its label. The key of a stored field does not change, since stored
            // answers refer to it.
            if (isNew) rename({ label, key: uniqueKeyFor(label, form.toSpliced(at, 1)) })
            else put({ label })
          }}
        />
        <Select
          label={t('services.form.kind')}
          data={kinds.map((value) => ({ value, label: t(`services.form.kinds.${value}`) }))}
          allowDeselect={false}
          {...own('kind')}
          onChange={(value) => {
            const kind = kinds.find((one) => one === value) ?? field.kind
            put({ kind, ...(!hasOptions({ kind }) && { options: [] }) })
          }}
        />
      </SimpleGrid>
      {hasOptions(field) && (
        <TagsInput
          label={t('services.form.options')}
          description={t('services.form.optionsHelp')}
          maxTags={100}
          splitChars={[';']}
          {...own('options')}
        />
      )}
      <TextInput label={t('services.form.help')} description={t('services.form.helpHelp')} {...own('help')} />
      <Switch
        label={t('services.form.required')}
        description={t(field.kind === 'checkbox' ? 'services.form.requiredBox' : 'services.form.requiredHelp')}
        {...fields.getInputProps(`form.${at}.required`, { type: 'checkbox' })}
      />
      <Condition field={field} earlier={form.slice(0, at).filter(canDecide)} error={own('when').error} put={put} />
      <TextInput
        label={t('services.form.key')}
        description={t(isNew ? 'services.form.keyHelp' : 'services.form.keyKept')}
        disabled={!isNew}
        {...own('key')}
        onChange={(event) => rename({ key: event.currentTarget.value })}
      />
    </Stack>
  )
}

interface ConditionProps {
  readonly field: FormField
  readonly earlier: readonly FormField[]
  readonly error: string | undefined
  readonly put: (change: Partial<FormField>) => void
}

function Condition({ field: { when }, earlier, error, put }: ConditionProps) {
  const { t } = useTranslation()
  if (earlier.length === 0 && !when) return null
  const on = earlier.find(({ key }) => key === when?.field)
  const decide = (key: string | null): void => {
    const found = earlier.find((one) => one.key === key)
    put({ when: found ? { field: found.key, is: found.kind === 'checkbox' ? true : (found.options[0] ?? '') } : null })
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={t('services.form.when')}
        placeholder={t('services.form.always')}
        data={earlier.map(({ key, label }) => ({ value: key, label: label || key }))}
        clearable
        value={when?.field ?? null}
        onChange={decide}
        error={error}
      />
      {on && when && (
        <Select
          label={t('services.form.answer')}
          data={
            on.kind === 'checkbox'
              ? [
                  { value: 'true', label: t('services.form.ticked') },
                  { value: 'false', label: t('services.form.notTicked') },
                ]
              : on.options
          }
          allowDeselect={false}
          value={String(when.is)}
          onChange={(is) => put({ when: { field: on.key, is: on.kind === 'checkbox' ? is === 'true' : (is ?? '') } })}
        />
      )}
    </SimpleGrid>
  )
}

import { Menu } from '@mantine/core'
import { IconArrowMerge, IconDownload, IconEraser } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionsMenu } from '../../components/dialogs/actions-menu.tsx'
import { type Item, panelApiRoot } from '../../data/request.ts'
import { EraseCustomer } from './customer-erase.tsx'
import { MergeCustomer } from './customer-merge.tsx'

type Customer = Item<'GET /customers/one/'>

interface ActionsProps {
  readonly customer: Customer
  /** Called after the customer was erased; the record may no longer exist. */
  readonly close: () => void
}

/** The menu of rare actions on a customer: merge, export and erase. */
export function CustomerActions({ customer, close }: ActionsProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'merge' | 'erase'>()
  const { id, name } = customer
  return (
    <>
      <ActionsMenu label={t('common.actions')} size="lg">
        <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => setOpened('merge')}>
          {t('customers.merge')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${panelApiRoot}/customers/export/?id=${encodeURIComponent(id)}`}
          download
          leftSection={<IconDownload size={16} />}
        >
          {t('customers.export')}
        </Menu.Item>
        <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => setOpened('erase')}>
          {t('customers.erase')}
        </Menu.Item>
      </ActionsMenu>
      {opened === 'merge' && <MergeCustomer customer={customer} close={() => setOpened(undefined)} />}
      <EraseCustomer id={id} name={name} opened={opened === 'erase'} close={() => setOpened(undefined)} done={close} />
    </>
  )
}

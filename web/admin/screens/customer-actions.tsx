import { Menu } from '@mantine/core'
import { IconArrowMerge, IconDownload, IconEraser } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionsMenu } from '../components/actions-menu.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { toast } from '../components/toast.tsx'
import { apiRoot, type Item } from '../data/ask.ts'
import { useWrite } from '../data/queries.ts'
import { MergeCustomer } from './customer-merge.tsx'

type Customer = Item<'GET /customers/one/'>

interface ActionsProps {
  readonly customer: Customer
  /** The customer may be gone. */
  readonly close: () => void
}

/** What is seldom done with a customer: merge, take out all there is, erase. */
export function CustomerActions({ customer, close }: ActionsProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'merge' | 'erase'>()
  const erase = useWrite('POST /customers/erase/', ['GET /customers/'])
  const { id, name } = customer
  return (
    <>
      <ActionsMenu label={t('common.actions')} size="lg">
        <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => setAsked('merge')}>
          {t('customers.merge')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`${apiRoot}/customers/export/?id=${encodeURIComponent(id)}`}
          download
          leftSection={<IconDownload size={16} />}
        >
          {t('customers.export')}
        </Menu.Item>
        <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => setAsked('erase')}>
          {t('customers.erase')}
        </Menu.Item>
      </ActionsMenu>
      {asked === 'merge' && <MergeCustomer customer={customer} close={() => setAsked(undefined)} />}
      <ConfirmDialog
        opened={asked === 'erase'}
        close={() => setAsked(undefined)}
        title={t('customers.eraseTitle', { name })}
        text={t('customers.eraseText')}
        action={t('customers.eraseDo')}
        danger
        confirm={async () => {
          await erase.mutateAsync({ body: { id } })
          toast(t('customers.erased'))
          close()
        }}
      />
    </>
  )
}

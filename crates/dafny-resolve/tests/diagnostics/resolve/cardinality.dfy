datatype Tree = Node(children: iset<Tree>)
